import { connect, createServer } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { createTurnwireServer } from "@turnwire/server";
import {
  startServer,
  testToken,
} from "../../server/src/4-transport/test-support/running-server.ts";
import { relay } from "./wire.ts";
import { refusedUpgrade } from "../../server/src/4-transport/test-support/socket-client.ts";
import { ofType, openRelay, prompt, startRelay } from "./test-support/relay-client.ts";

const allow = (request_id: unknown) => ({
  type: "control_response",
  request_id,
  permission: { allow: true },
});

describe("a front end of the relay", () => {
  test("follows every live session, and those that begin later", async () => {
    const running = await startRelay();
    const first = await running.createSession();
    const frontEnd = await running.frontEnd();
    frontEnd.send(prompt("/markdown"));
    await frontEnd.line(ofType("result", { session_id: first }));
    const second = await running.createSession();
    await running.request(`/sessions/${second}/message`, { json: { message: "hello" } });
    await frontEnd.line(ofType("result", { session_id: second }));
    expect(frontEnd.frames.every((frame) => /^[^\n]+\n$/.test(frame))).toBe(true);
  });

  test("sees prompts of others, answers in the flat form, and sees that somebody was faster", async () => {
    const running = await startRelay();
    const id = await running.createSession();
    const [ann, bob] = [await running.frontEnd(), await running.frontEnd()];
    ann.send(prompt("/permission", id));
    expect(await bob.line(ofType("user"))).toMatchObject({ isReplay: true, session_id: id });
    const { request_id, session_id } = await bob.line(ofType("control_request"));
    expect(session_id).toBe(id);
    await ann.line(ofType("control_request"));
    bob.send(allow(request_id));
    ann.send({ ...allow(request_id), permission: { allow: false } });
    await ann.line(ofType("result"));
    await bob.line(ofType("result"));
    const answers = [ann, bob].map(({ lines }) => lines.filter(ofType("control_response")));
    expect(answers[0]).toEqual(answers[1]);
    expect(answers[0]).toHaveLength(1);
    const outcomes = [ann, bob].flatMap(({ lines }) => lines.filter(ofType("error")));
    expect(outcomes).toMatchObject([{ error: { code: "already_resolved" } }]);
    await ann.line(ofType("control_cancel_request", { request_id }));
  });

  test("that comes late gets the session so far with what is open, and can answer it", async () => {
    const running = await startRelay();
    const id = await running.createSession();
    const early = await running.frontEnd();
    early.send(prompt("/permission"));
    const asked = await early.line(ofType("control_request"));
    const late = await running.frontEnd();
    expect(await late.line(ofType("control_request"))).toEqual(asked);
    expect(late.lines.map(({ type }) => type).slice(0, 2)).toEqual(["system", "user"]);
    late.send(allow(asked["request_id"]));
    await late.line(ofType("result", { session_id: id }));
  });

  test("may follow one session only, by its id", async () => {
    const running = await startRelay();
    const [one, other] = [await running.createSession(), await running.createSession()];
    const frontEnd = await running.frontEnd(`?session=${one}`);
    const all = await running.frontEnd();
    all.send(prompt("to the other", other));
    await all.line(ofType("result", { session_id: other }));
    frontEnd.send(prompt("to the one"));
    await frontEnd.line(ofType("result"));
    const ids = frontEnd.lines.map(({ session_id }) => session_id);
    expect(new Set(ids)).toEqual(new Set([one]));
    const lost = await running.frontEnd("?session=stranger");
    expect(await lost.line(ofType("error"))).toMatchObject({
      error: { code: "session_not_found" },
    });
  });

  test("learns why nothing happened with what it sent", async () => {
    const running = await startRelay();
    const frontEnd = await running.frontEnd();
    const errors = () => frontEnd.lines.filter(ofType("error")).map(({ error }) => error);
    frontEnd.send(prompt("anybody there?"));
    await frontEnd.until(() => errors().length === 1);
    await running.createSession();
    await running.createSession();
    const [session] = (await running.host.list({ principal: admin, limit: 5 })).sessions;
    frontEnd.websocket.send("garbage\n[1]\n");
    frontEnd.send({ type: "nonsense", session_id: session?.session_id });
    frontEnd.send(allow("nothing"));
    frontEnd.send({ type: "control_response" });
    frontEnd.send(prompt("who?", "stranger"));
    frontEnd.send(prompt("who?", "../../etc"));
    frontEnd.send({ type: "keep_alive" });
    await frontEnd.until(() => errors().length === 8);
    expect(errors()).toMatchObject([
      { code: "session_not_found", details: { reason: "no_agent" } },
      { code: "invalid_request", message: expect.stringContaining("not JSON") },
      { code: "invalid_request", message: "A line must be a JSON object." },
      { code: "invalid_request" },
      { code: "request_not_found" },
      { code: "invalid_request" },
      { code: "session_not_found" },
      { code: "invalid_request" },
    ]);
  });

  test("must name a session where there are several, also for control requests", async () => {
    const running = await startRelay();
    const [first] = [await running.createSession(), await running.createSession()];
    const frontEnd = await running.frontEnd();
    await running.request(`/sessions/${first}/message`, { json: { message: "hello" } });
    await frontEnd.line(ofType("result"));
    const second = await running.createSession();
    await running.request(`/sessions/${second}/message`, { json: { message: "hello" } });
    await frontEnd.line(ofType("result", { session_id: second }));
    const request = { subtype: "initialize" };
    frontEnd.send({ type: "control_request", request_id: "a", request });
    frontEnd.send({ type: "control_request", request_id: "b", request, session_id: first });
    await frontEnd.until(() => frontEnd.lines.filter(ofType("control_response")).length === 2);
    expect(frontEnd.lines.filter(ofType("control_response"))).toMatchObject([
      { response: { subtype: "error", request_id: "a" } },
      { response: { subtype: "success", request_id: "b" } },
    ]);
  });

  test("sends lines of 16 MiB; a longer one is an error and the connection stays", async () => {
    const running = await startRelay();
    await running.createSession();
    const frontEnd = await running.frontEnd();
    frontEnd.websocket.send(" ".repeat(17 * 1024 * 1024));
    expect(await frontEnd.line(ofType("error"))).toMatchObject({
      error: { code: "payload_too_large" },
    });
    const overhead = JSON.stringify(prompt("")).length;
    frontEnd.send(prompt("x".repeat(16 * 1024 * 1024 - overhead)));
    await frontEnd.line(ofType("result"));
    expect(frontEnd.lines.filter(ofType("error"))).toHaveLength(1);
  });

  test("is closed with 1009 after a frame of more than 64 MiB", async () => {
    const running = await startRelay();
    const frontEnd = await running.frontEnd();
    frontEnd.websocket.send(Buffer.alloc(64 * 1024 * 1024 + 1, " "), { binary: false });
    expect(await frontEnd.closed).toMatchObject({ code: 1009 });
    expect((await running.request("/health")).status).toBe(200);
  });

  test("may cut its lines anywhere", async () => {
    const running = await startRelay();
    await running.createSession();
    const frontEnd = await running.frontEnd();
    const text = `${JSON.stringify(prompt("cut"))}\n`;
    for (const piece of [text.slice(0, 9), text.slice(9, 30), text.slice(30)]) {
      frontEnd.websocket.send(piece);
    }
    await frontEnd.line(ofType("result"));
    expect(frontEnd.lines.filter(ofType("error"))).toEqual([]);
  });
});

const admin = { id: "local", isAdmin: true };

describe("the relay's door", () => {
  test("needs a credential and a page of this machine or an allowed one", async () => {
    const allowedOrigins = ["https://agents.example"];
    const { relayUrl, port } = await startRelay({ allowedOrigins });
    const authorization = `Bearer ${testToken}`;
    const status = async (path: string, headers: Record<string, string>) =>
      (await refusedUpgrade(`${relayUrl}${path}`, { headers })).status;
    for (const path of ["/", "/ws"]) {
      expect(await status(path, {})).toBe(401);
      expect(await status(path, { authorization: "Bearer wrong" })).toBe(401);
      expect(await status(path, { authorization, origin: "https://evil.example" })).toBe(403);
      expect(await status(path, { authorization, origin: "null" })).toBe(403);
      expect(await status(path, { authorization, host: "evil.example" })).toBe(421);
    }
    expect(await status("/", { authorization, origin: "http://localhost:3000" })).toBe(403);
    expect(await status("/elsewhere", { authorization })).toBe(404);
    expect(await status("/ws?session=..%2F", { authorization })).toBe(400);
    for (const origin of [
      "http://localhost:3000",
      `http://127.0.0.1:${port}`,
      "https://agents.example",
    ]) {
      await openRelay(`${relayUrl}/ws`, { headers: { origin } });
    }
  });

  test("admits a page of this machine without a token where auth is off, and no other page", async () => {
    const { relayUrl } = await startRelay({ auth: { type: "off" } });
    const headers = { authorization: "", origin: "http://localhost:3000" };
    await openRelay(`${relayUrl}/ws`, { headers });
    const evil = { origin: "http://localhost.evil.example" };
    expect((await refusedUpgrade(`${relayUrl}/ws`, { headers: evil })).status).toBe(403);
  });

  test("explains itself over HTTP", async () => {
    const { relayUrl, url: webUrl } = await startRelay();
    const url = relayUrl.replace("ws:", "http:");
    const page = await fetch(url);
    expect(page.status).toBe(200);
    expect(await page.text()).toContain("--sdk-url");
    const greeting = new URLSearchParams(page.headers.get("turnwire-relay") ?? "");
    expect([greeting.get("auth"), greeting.get("web")]).toEqual(["token", webUrl]);
    expect((await fetch(`${url}/ws`)).status).toBe(426);
    expect((await fetch(`${url}/nothing`)).status).toBe(404);
    const foreign = await fetch(url, { headers: { origin: "https://evil.example" } });
    expect(foreign.status).toBe(403);
  });

  test("hides sessions of others, whose prompts and answers it refuses", async () => {
    const authorize = ({ bearer = "" }) =>
      ["ann", "bob"].includes(bearer) ? { id: bearer, isAdmin: false } : null;
    const { relayUrl, host } = await startRelay({ auth: { type: "authorize", authorize } });
    const created = await host.create({ runtime: "demo" }, { id: "ann", isAdmin: false });
    const id = created.ok ? created.value.id : "";
    const as = (name: string) =>
      openRelay(`${relayUrl}/ws`, { headers: { authorization: `Bearer ${name}` } });
    const [ann, bob] = [await as("ann"), await as("bob")];
    ann.send(prompt("/permission", id));
    const { request_id } = await ann.line(ofType("control_request"));
    bob.send(prompt("let me", id));
    bob.send(allow(request_id));
    await bob.until(() => bob.lines.length === 2);
    expect(bob.lines).toMatchObject([
      { error: { code: "session_not_found" } },
      { error: { code: "request_not_found" } },
    ]);
  });
});

/** On Linux each address of 127.0.0.0/8 is this machine, and a listener on one of them is on no other. */
function isReached(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, host);
    socket.on("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.on("error", () => resolve(false));
  });
}

describe("the relay's port", () => {
  test("is a free one where front ends look, and a taken one is an error that says so", async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void taken.close());
    const address = taken.address();
    const port = typeof address === "object" && address ? address.port : 0;
    await expect(startServer({ wires: [relay({ port })] })).rejects.toMatchObject({
      code: "wire_port_taken",
      message: expect.stringContaining(String(port)),
    });
    const [one, two] = [relay(), relay()];
    for (const wire of [one, two]) await startServer({ wires: [wire] });
    // Which of them are free changes at any moment: other tests open relays too.
    expect(two.url).not.toBe(one.url);
    for (const { url = "" } of [one, two]) {
      const found = Number(new URL(url).port);
      expect(found).toBeGreaterThanOrEqual(8765);
      expect(found).toBeLessThanOrEqual(8864);
    }
  });

  test.runIf(process.platform === "linux")(
    "is on 127.0.0.1 only, wherever the server itself listens",
    async () => {
      const wire = relay({ port: 0 });
      const server = await createTurnwireServer({
        host: (await startServer()).host,
        auth: { type: "token", token: testToken },
        wires: [wire],
      });
      onTestFinished(() => server.close());
      const everywhere = await server.listen({ host: "0.0.0.0" });
      const port = Number(new URL(wire.url ?? "").port);
      expect(await isReached("127.0.0.2", everywhere.port)).toBe(true);
      expect(await isReached("127.0.0.1", port)).toBe(true);
      expect(await isReached("127.0.0.2", port)).toBe(false);
    },
  );

  test("is closed with the server, which sends its front ends away to come back", async () => {
    const { server, frontEnd } = await startRelay();
    const client = await frontEnd();
    await server.close();
    expect(await client.closed).toEqual({ code: 1001, reason: "released" });
  });
});
