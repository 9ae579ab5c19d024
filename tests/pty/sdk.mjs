// Another program, with the official SDK: makes a sandbox and a command, says so, and when its input ends tells
// what it sees of the sandbox.
import { Sandbox } from "@vercel/sandbox";

const { SANDTOP_TEST_TOKEN: token, NAME: name, LINE: line } = process.env;
const creds = { token, teamId: "team_of_the_sdk", projectId: "prj_of_the_sdk" };
const sandbox = await Sandbox.create({ ...creds, name, runtime: "node24", timeout: 600_000 });
await sandbox.runCommand({ cmd: "sh", args: ["-c", line], detached: true });
console.log("running");
for await (const _ of process.stdin);
const seen = await Sandbox.get({ ...creds, name, resume: false });
console.log(seen.status);
