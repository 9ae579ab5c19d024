// For node: leads the official Vercel Sandbox SDK and CLI to sandtop's local engine.
//
//   export NODE_OPTIONS=--import=file:///PATH/TO/preload.mjs
//
// The engine puts this file into its data directory, beside engine.json, which says where it is while it runs.
// Requests to the service's API go to the engine, with the engine's token instead of whatever they carried: no
// account is needed, and one that is there is not used. Nothing else is touched, and nothing else gets that token.

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const SERVICE = "https://vercel.com/api/";
const CARD = new URL("engine.json", import.meta.url);
const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

// Read anew for each request: an engine that was started again has another port and another token.
function engine() {
  try {
    return JSON.parse(readFileSync(CARD, "utf8"));
  } catch (cause) {
    const place = fileURLToPath(CARD);
    throw new TypeError(`sandtop's local engine does not run: start it with \`sandtop serve\` (no ${place})`, { cause });
  }
}

// Where a request goes instead, and with which token; nothing for all that is none of ours.
function led(url) {
  if (url.href.startsWith(SERVICE)) {
    const { url: base, token } = engine();
    return { to: `${base}/${url.href.slice(SERVICE.length)}`, token };
  }
  // The CLI asks whether a terminal can be had, at the terminal's host, but by https and without its port.
  if (url.protocol === "https:" && !url.port && url.pathname === "/health" && LOOPBACK.test(url.hostname)) {
    const { url: base, token } = engine();
    return new URL(base).hostname === url.hostname ? { to: new URL("/health", base).href, token } : undefined;
  }
}

const send = globalThis.fetch;

globalThis.fetch = async function fetch(input, init) {
  const request = input instanceof Request ? input : undefined;
  const asked = request?.url ?? String(input);
  const way = URL.canParse(asked) ? led(new URL(asked)) : undefined;
  if (!way) return send(input, init);
  const headers = new Headers(init?.headers ?? request?.headers);
  headers.set("authorization", `Bearer ${way.token}`);
  return send(request ? new Request(way.to, request) : way.to, { ...init, headers });
};

// Both want a token before they ask for anything. This one says which team and project, never expires, and opens
// nothing: the engine sees its own.
const part = (value) => Buffer.from(JSON.stringify(value)).toString("base64url");
const claims = { owner: "local", owner_id: "team_local", project: "vercel-sandbox-default-project", project_id: "local", exp: 4102444800 };
process.env.VERCEL_OIDC_TOKEN = [part({ typ: "JWT", alg: "none" }), part(claims), part("none")].join(".");

// What is done on this machine is not reported.
process.env.VERCEL_SANDBOX_TELEMETRY_DISABLED ??= "1";
