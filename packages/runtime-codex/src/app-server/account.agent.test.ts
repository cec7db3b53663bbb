import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { JsonObject } from "@turnwire/protocol";
import { expect, onTestFinished, test } from "vitest";
import { AgentSession, spoken } from "../../../runtime/src/test-support/agent-session.ts";
import { useCodexPlace } from "../test-support/codex-place.ts";

const place = useCodexPlace();

async function openSession(login: JsonObject, config: Record<string, string> = {}) {
  await writeFile(join(place.home.path, "auth.json"), JSON.stringify(login));
  const host = place.openHost({
    config: { "model_providers.standin.requires_openai_auth": true, ...config },
  });
  onTestFinished(() => host.close());
  return AgentSession.create(host);
}

/** An id token of ChatGPT; Codex leaves its signature to the service. */
function idToken(claims: object): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  return [part({ alg: "none", typ: "JWT" }), part(claims), "signature"].join(".");
}

test("a session names the account that Codex is logged in with", async () => {
  const own = await openSession({ auth_mode: "apikey", OPENAI_API_KEY: "dummy" });
  await own.turn("SCENARIO:text hello");
  const { data } = await own.until("session_updated", (event) => event.data.account !== undefined);
  expect(data.account).toEqual({ kind: "api_key" });
});

test("a session works where the service that knows the account cannot say", async () => {
  const failing = createServer((_request, response) => {
    response.writeHead(503).end();
  }).listen(0, "127.0.0.1");
  await once(failing, "listening");
  onTestFinished(() => {
    failing.closeAllConnections();
    failing.close();
  });
  const auth = { chatgpt_plan_type: "pro", chatgpt_account_id: "account" };
  const id_token = idToken({ email: "ada@example.com", "https://api.openai.com/auth": auth });
  const tokens = { id_token, access_token: id_token, refresh_token: "none", account_id: "account" };
  const { port } = failing.address() as AddressInfo;
  const own = await openSession(
    { auth_mode: "chatgpt", tokens, last_refresh: new Date().toISOString() },
    { chatgpt_base_url: `http://127.0.0.1:${port}` },
  );
  expect(spoken(await own.turn("SCENARIO:text hello"))).toBe("hello");
  expect(own.session.control.session.account).toBeUndefined();
});
