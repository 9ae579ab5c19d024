// Another program, with the official SDK and no account: makes a sandbox and a command, says so, and when its input
// ends tells what it sees of the sandbox.
import { Sandbox } from "@vercel/sandbox";

const { NAME: name, LINE: line } = process.env;
const sandbox = await Sandbox.create({ name, runtime: "node24", timeout: 600_000 });
await sandbox.runCommand({ cmd: "sh", args: ["-c", line], detached: true });
console.log("running");
for await (const _ of process.stdin);
const seen = await Sandbox.get({ name, resume: false });
console.log(seen.status);
