import type { CreatedToken } from "@turnwire/protocol";
import { describe, expect, test } from "vitest";
import { refusedUpgrade } from "../../server/src/4-transport/test-support/socket-client.ts";
import { ofType, prompt, type RunningRelay, startRelay } from "./test-support/relay-client.ts";

async function headersFor({ request }: RunningRelay, wish: object) {
  const answer = await request("/tokens", { json: wish });
  const { token }: CreatedToken = await answer.json();
  return { authorization: `Bearer ${token}` };
}

describe("the port of a relay", () => {
  test("lets a token to read follow and send nothing, and no agent come with it", async () => {
    const relay = await startRelay();
    const id = await relay.createSession();
    const headers = await headersFor(relay, { scope: "read" });
    const client = await relay.frontEnd(`?session=${id}`, { headers });
    client.send(prompt("Hello", id));
    expect(await client.line(ofType("error"))).toMatchObject({ error: { code: "forbidden" } });
    expect((await relay.session(id)).info().head).toBe(1);
    expect((await refusedUpgrade(relay.relayUrl, { headers })).status).toBe(403);
  });

  test("lets a token to operate prompt, and none for one session in", async () => {
    const relay = await startRelay();
    const id = await relay.createSession();
    const headers = await headersFor(relay, { scope: "operate" });
    const client = await relay.frontEnd(`?session=${id}`, { headers });
    client.send(prompt("Hello", id));
    await client.line(ofType("result"));
    const bound = { headers: await headersFor(relay, { scope: "operate", session_id: id }) };
    expect((await refusedUpgrade(`${relay.relayUrl}/ws`, bound)).status).toBe(403);
    expect((await refusedUpgrade(relay.relayUrl, bound)).status).toBe(403);
  });
});
