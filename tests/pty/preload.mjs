// What becomes of requests under the preload: prints one line of JSON for each, as this program's own server saw it
// or as the engine answered.
import { createServer } from "node:http";

const seen = ({ method, url, headers }) => ({ method, url, authorization: headers.authorization ?? null });
const other = createServer((request, response) => response.end(JSON.stringify(seen(request))));
await new Promise((listening) => other.listen(0, "127.0.0.1", listening));
const elsewhere = `http://127.0.0.1:${other.address().port}`;

const service = "https://vercel.com/api/v2/sandboxes";
const mine = { authorization: "Bearer mine" };
const named = { method: "POST", headers: mine, body: JSON.stringify({ name: "by-fetch" }) };
const told = {
  list: async () => (await (await fetch(service, { headers: mine })).json()).sandboxes.length,
  create: async () => (await fetch(service.replace("v2", "v3"), named)).status,
  byRequest: async () => (await fetch(new Request(`${service}/by-fetch`, { headers: mine }))).status,
  byUrl: async () => (await fetch(new URL(`${service}/by-fetch`), { method: "DELETE" })).status,
  elsewhere: async () => (await fetch(`${elsewhere}/a?b`, { headers: mine })).json(),
  likeTheService: async () => (await fetch(`${elsewhere}/api/v2/sandboxes`)).json(),
  relative: async () => (await fetch("/api/v2/sandboxes").catch((error) => error)).name,
};
for (const [name, ask] of Object.entries(told)) console.log(JSON.stringify({ [name]: await ask() }));
other.close();
