import { tmpdir } from "node:os";
import type { SessionInfo, SessionList } from "@turnwire/protocol";
import { createMemoryStore, type Store } from "@turnwire/log";
import { describe, expect, test } from "vitest";
import { claudeCli } from "@turnwire/runtime-claude";
import { demo } from "@turnwire/runtime/demo";
import { ofType, prompt, type RunningRelay, startRelay } from "./test-support/relay-client.ts";
import { linesFrom, ScriptedCli } from "./test-support/scripted-cli.ts";
import type { RelayOptions } from "./wire.ts";

function start(relay: RelayOptions = {}, store: Store = createMemoryStore()) {
  const runtimes = [demo({ delayMs: 0 }), claudeCli()];
  return startRelay({ relay, hostOptions: { runtimes, store } });
}

async function dialled({ relayUrl }: RunningRelay): Promise<ScriptedCli> {
  const cli = new ScriptedCli(tmpdir());
  await cli.dial(relayUrl);
  return cli;
}

/** Sessions are made beside what front ends see. */
async function sessionsOf(running: RunningRelay, count = 1): Promise<SessionInfo[]> {
  const list = async (): Promise<SessionInfo[]> => {
    const answer = await running.request("/sessions");
    return ((await answer.json()) as SessionList).sessions;
  };
  await expect.poll(list).toHaveLength(count);
  return list();
}

const flat = (request_id: unknown, allow = true) => ({
  type: "control_response",
  request_id,
  permission: { allow },
});

const asked = ofType("control_request");
const answered = ofType("control_response");
const status = (text: string) => ofType("status", { text: `claude code ${text}` });

/** Resolves when the session of a CLI has a request that is open. */
async function isAsked(running: RunningRelay): Promise<void> {
  const [info] = await sessionsOf(running);
  const session = await running.session(info?.session_id ?? "");
  await expect.poll(() => Object.keys(session.control.requests)).toHaveLength(1);
}

describe("a CLI that dialled in", () => {
  test("works a turn with a permission for front ends that answer flat, byte for byte", async () => {
    const running = await start();
    const cli = await dialled(running);
    const [ann, bob] = [await running.frontEnd(), await running.frontEnd()];
    ann.send(prompt("ask me"));
    const { request_id } = await bob.line(asked);
    bob.send(flat(request_id));
    expect(await cli.got(answered)).toEqual({
      type: "control_response",
      response: {
        subtype: "success",
        request_id,
        response: expect.objectContaining({
          behavior: "allow",
          updatedInput: { command: "touch a.txt" },
        }),
      },
    });
    await Promise.all([ann.line(ofType("result")), bob.line(ofType("result"))]);
    const late = await running.frontEnd();
    await late.line(ofType("result"));
    for (const client of [ann, bob, late]) {
      expect(linesFrom(client, cli)).toEqual(cli.written);
      expect(client.lines.filter(ofType("user")).map(({ message }) => message)[0]).toEqual(
        prompt("ask me")["message"],
      );
      expect(client.lines.filter(ofType("system"))).toHaveLength(1);
    }
  });

  test("is a session like any other, for clients in any dialect", async () => {
    const running = await start();
    const cli = await dialled(running);
    const frontEnd = await running.frontEnd();
    frontEnd.send(prompt("hello"));
    await frontEnd.line(ofType("result"));
    const [info] = await sessionsOf(running);
    expect(info).toMatchObject({ provider_session_id: cli.sessionId, status: "live" });
    const path = `/sessions/${info?.session_id}/message`;
    await running.request(path, { json: { message: "over HTTP" } });
    await cli.got((line) => JSON.stringify(line).includes("over HTTP"));
    await frontEnd.until(() => frontEnd.lines.filter(ofType("result")).length === 2);
    expect(linesFrom(frontEnd, cli)).toEqual(cli.written);
    frontEnd.send(prompt("by its own id", cli.sessionId));
    await frontEnd.until(() => frontEnd.lines.filter(ofType("result")).length === 3);
  });

  test("gets one answer where two front ends give theirs", async () => {
    const running = await start();
    const cli = await dialled(running);
    const [ann, bob] = [await running.frontEnd(), await running.frontEnd()];
    ann.send(prompt("ask me"));
    const { request_id } = await ann.line(asked);
    await bob.line(asked);
    ann.send(flat(request_id));
    bob.send(flat(request_id, false));
    await Promise.all([ann.line(ofType("result")), bob.line(ofType("result"))]);
    await Promise.race([ann.line(ofType("error")), bob.line(ofType("error"))]);
    expect(cli.received.filter(answered)).toHaveLength(1);
    const seen = [ann, bob].map(({ lines }) => lines.findLast(answered));
    expect(seen[0]).toEqual(seen[1]);
  });

  test("stays connected where its old connection closes after the new one came", async () => {
    const running = await start();
    const cli = await dialled(running);
    const frontEnd = await running.frontEnd();
    frontEnd.send(prompt("hello"));
    await frontEnd.line(ofType("result"));
    const old = cli.socket;
    await cli.dial(running.relayUrl);
    await old.closed;
    frontEnd.send(prompt("still there?"));
    await frontEnd.until(() => frontEnd.lines.filter(ofType("result")).length === 2);
    expect(frontEnd.lines.filter(status("disconnected"))).toEqual([]);
    expect(linesFrom(frontEnd, cli)).toEqual(cli.written);
    expect(await sessionsOf(running)).toHaveLength(1);
  });

  test("is one of many, each with its own session, which a prompt names", async () => {
    const running = await start();
    const frontEnd = await running.frontEnd();
    const [one, two] = [await dialled(running), await dialled(running)];
    frontEnd.send(prompt("first"));
    await frontEnd.line(ofType("result"));
    frontEnd.send(prompt("second"));
    await frontEnd.until(() => frontEnd.lines.filter(ofType("result")).length === 2);
    frontEnd.send(prompt("for two", two.sessionId));
    await two.got((line) => JSON.stringify(line).includes("for two"));
    frontEnd.send(prompt("for whom?"));
    expect(await frontEnd.line(ofType("error"))).toMatchObject({
      error: { details: { reason: "session_ambiguous" } },
    });
    expect(one.received.filter(ofType("user"))).toHaveLength(1);
    expect(two.received.filter(ofType("user"))).toHaveLength(2);
    one.socket.websocket.close();
    await frontEnd.until(() => frontEnd.lines.filter(ofType("result")).length === 3);
    two.socket.websocket.close();
    await frontEnd.line(status("disconnected"));
    expect(frontEnd.lines.filter(status("disconnected"))).toHaveLength(1);
  });

  test("begins another session when it says so", async () => {
    const running = await start();
    const cli = await dialled(running);
    const frontEnd = await running.frontEnd();
    frontEnd.send(prompt("hello"));
    await frontEnd.line(ofType("result"));
    const init = JSON.parse(cli.written[0] ?? "") as object;
    const other = "00000000-0000-4000-8000-000000000001";
    cli.write({ ...init, session_id: other, uuid: "00000000-0000-4000-8000-000000000002" });
    await frontEnd.line(ofType("system", { session_id: other }));
    const sessions = await sessionsOf(running, 2);
    const ids = sessions.map(({ provider_session_id }) => provider_session_id);
    expect(new Set(ids)).toEqual(new Set([cli.sessionId, other]));
    expect(ids).toHaveLength(2);
  });

  test("outlives a restart of the relay, with its open request and the same lines", async () => {
    const store = createMemoryStore();
    const before = await start({}, store);
    const cli = await dialled(before);
    const early = await before.frontEnd();
    early.send(prompt("ask me"));
    const { request_id } = await early.line(asked);
    await isAsked(before);
    await before.server.close();
    await early.closed;
    expect(await cli.socket.closed).toMatchObject({ code: 1001 });
    const after = await start({}, store);
    await cli.dial(after.relayUrl);
    const late = await after.frontEnd();
    await late.line(asked);
    expect(linesFrom(late, cli)).toEqual(cli.written);
    late.send(flat(request_id));
    await cli.got(answered);
    await late.line(ofType("result"));
    expect(linesFrom(late, cli)).toEqual(cli.written);
    expect(await sessionsOf(after)).toHaveLength(1);
  });

  test("that writes a line that is not JSON has it passed on, named by its readable part", async () => {
    const running = await start();
    const cli = await dialled(running);
    const frontEnd = await running.frontEnd();
    const malformed = `{"type":"system","subtype":"init","cwd":${JSON.stringify(tmpdir())},"session_id":"${cli.sessionId}", oops`;
    cli.writeText(malformed);
    cli.writeText("session_id: 0123456789abcdef in the middle of nowhere");
    await frontEnd.until(() => linesFrom(frontEnd, cli).length === 2);
    const [info, ...others] = await sessionsOf(running);
    expect(others).toEqual([]);
    expect(info?.provider_session_id).toBe(cli.sessionId);
  });
});

describe("auto-approve", () => {
  test("is off unless it was chosen; then the tool is allowed, by a name of its own", async () => {
    const running = await start({ isAutoApproving: true });
    const cli = await dialled(running);
    const frontEnd = await running.frontEnd();
    frontEnd.send(prompt("ask me"));
    const { request_id } = await frontEnd.line(asked);
    await frontEnd.line(ofType("result", { result: "Allowed." }));
    frontEnd.send(flat(request_id, false));
    expect(await frontEnd.line(ofType("error"))).toMatchObject({
      error: { code: "already_resolved" },
    });
    expect(cli.received.filter(answered)).toHaveLength(1);
    const [info] = await sessionsOf(running);
    const answer = await running.request(`/sessions/${info?.session_id}/events`, {
      headers: { accept: "application/json" },
    });
    expect(await answer.text()).toContain('"by":"auto-approve"');
  });

  test("is for CLIs that dialled in, not for other sessions", async () => {
    const running = await start({ isAutoApproving: true });
    await running.createSession({ runtime: "demo" });
    const frontEnd = await running.frontEnd();
    frontEnd.send(prompt("/permission"));
    const { request_id } = await frontEnd.line(asked);
    frontEnd.send(flat(request_id, false));
    await frontEnd.line(ofType("result"));
    expect(frontEnd.lines.filter(ofType("error"))).toEqual([]);
  });
});
