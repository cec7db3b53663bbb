import { tmpdir } from "node:os";
import type { SessionInfo, SessionList } from "@turnwire/protocol";
import { claudeCli } from "@turnwire/runtime-claude";
import { describe, expect, test } from "vitest";
import { ManualClock } from "../../base/src/test-support/manual-clock.ts";
import {
  ofType,
  openRelay,
  prompt,
  type RelayClient,
  type RelayLine,
  type RunningRelay,
  startRelay,
} from "./test-support/relay-client.ts";
import type { RelayOptions } from "./wire.ts";

function start(relay: RelayOptions = {}, clock = new ManualClock()): Promise<RunningRelay> {
  const runtimes = [claudeCli({ clock })];
  return startRelay({ relay, hostOptions: { runtimes, defaultRuntime: "claude-cli" } });
}

/** The lines of a front end without status frames, without the line breaks. */
function linesOf({ frames }: RelayClient): string[] {
  return frames
    .filter((frame) => !frame.startsWith('{"type":"status"'))
    .map((frame) => frame.slice(0, -1));
}

async function received(client: RelayClient, count: number): Promise<string[]> {
  await client.until(() => client.frames.length >= count && linesOf(client).length >= count);
  return linesOf(client);
}

function statusesOf({ lines }: RelayClient): unknown[] {
  return lines.filter(ofType("status")).map(({ text }) => text);
}

/** Resolves when a line of this type has reached the CLI. */
function got(cli: RelayClient, type: string, from = 0): Promise<RelayLine> {
  return cli.line((line) => line["type"] === type, from);
}

async function sessionsOf(running: RunningRelay, count = 1): Promise<SessionInfo[]> {
  const list = async (): Promise<SessionInfo[]> => {
    const answer = await running.request("/sessions");
    return ((await answer.json()) as SessionList).sessions;
  };
  await expect.poll(list).toHaveLength(count);
  return list();
}

const say = (cli: RelayClient, ...lines: readonly (string | RelayLine)[]): string[] => {
  const texts = lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line)));
  for (const text of texts) cli.websocket.send(`${text}\n`);
  return texts;
};

const init = { type: "system", subtype: "init", session_id: "sess_abc123", model: "claude" };
const ask = (request_id: string) => ({
  type: "control_request",
  request_id,
  request: { subtype: "can_use_tool", tool_name: "Bash", input: { command: "npm test" } },
});
const result = { type: "result", is_error: false, result: "ok", session_id: "sess_abc123" };
const flat = (request_id: string, allow = true) => ({
  type: "control_response",
  request_id,
  permission: { allow },
});
const nested = (request_id: string, response: object) => ({
  type: "control_response",
  response: { request_id, subtype: "success", response },
});

describe("what a CLI writes reaches every front end at once", () => {
  test("whatever it is: nameless, garbage, binary, many lines in a frame, a line over two", async () => {
    const running = await start();
    const cli = await running.cli();
    const clients = [await running.frontEnd(), await running.frontEnd()];
    const lines = [
      '{ "type":"stream_event" ,"ü":"\\u00fc 😀 "}',
      '{"type":"assistant","message":{"content":[]}}',
      "not JSON at all",
      "{cut",
      "[1,2 ]",
      '{"type":"keep_alive"}',
      '{"type":"control_response","response":{"request_id":"x","subtype":"success"}}',
    ];
    say(cli, ...lines);
    const several = ['{"a":1}', "", '{"b":2}'];
    cli.websocket.send(`${several.join("\n")}\n`);
    cli.websocket.send(Buffer.from('{"binary":true}\n'));
    cli.websocket.send("garbage without an end");
    cli.websocket.send('{"over":');
    cli.websocket.send('"two frames"}\n');
    cli.websocket.send('{"type":"result","unended":1}');
    const expected = [
      ...lines,
      '{"a":1}',
      '{"b":2}',
      '{"binary":true}',
      "garbage without an end",
      '{"over":"two frames"}',
      '{"type":"result","unended":1}',
    ];
    for (const client of clients) {
      expect(await received(client, expected.length)).toEqual(expected);
    }
  });

  test("8 MiB in a line and 5,000 lines in a burst, in order, before and after it has a session", async () => {
    const running = await start();
    const cli = await running.cli();
    const client = await running.frontEnd();
    const burst = (name: string, length: number): string[] =>
      Array.from({ length }, (_, index) =>
        JSON.stringify({ type: "stream_event", event: { type: name, index } }),
      );
    const large = JSON.stringify({ type: "x", text: "x".repeat(8 * 1024 * 1024) });
    const lines = [
      ...burst("nameless", 500),
      JSON.stringify(init),
      ...burst("named", 5_000),
      large,
    ];
    say(cli, ...lines);
    const found = await received(client, lines.length);
    expect(found.length).toBe(lines.length);
    expect(found.findIndex((line, index) => line !== lines[index])).toBe(-1);
  });

  test("also those who come late, with what is still open, and no one waits for one who stalls or leaves", async () => {
    const running = await start();
    const cli = await running.cli();
    const [stalled, leaving] = [await running.frontEnd(), await running.frontEnd()];
    stalled.websocket.pause();
    const nameless = say(cli, "garbage", ask("before"));
    const late = await running.frontEnd();
    expect(await received(late, 2)).toEqual(nameless);
    leaving.websocket.terminate();
    const text = "x".repeat(64 * 1024);
    const many = Array.from({ length: 200 }, (_, index) => JSON.stringify({ index, text }));
    const lines = [...nameless, ...say(cli, init, ask("after"), ...many)];
    const later = await running.frontEnd();
    for (const client of [late, later]) {
      expect((await received(client, lines.length)).slice(0, lines.length)).toEqual(lines);
    }
  });

  test("once, however many connections it has: what it repeats when it dials in again is left out", async () => {
    const running = await start();
    const client = await running.frontEnd();
    const uuid = (line: RelayLine, id: string): RelayLine => ({ ...line, uuid: id });
    const first = await running.cli();
    const lines = say(first, uuid(init, "one"), uuid(result, "two"));
    await received(client, 2);
    const second = await running.cli();
    say(second, uuid(init, "one"), uuid(result, "two"));
    lines.push(...say(second, uuid(result, "three")));
    await received(client, 3);
    first.websocket.close();
    await first.closed;
    lines.push(...say(second, "still here"));
    expect(await received(client, 4)).toEqual(lines);
    expect(statusesOf(client)).not.toContain("claude code disconnected");
    expect(await sessionsOf(running)).toHaveLength(1);
  });
});

describe("status frames", () => {
  test("say that a CLI connects, is connected and has gone, each once and after its lines", async () => {
    const running = await start();
    const early = await running.frontEnd();
    const cli = await running.cli();
    await early.until(() => statusesOf(early).length === 1);
    const late = await running.frontEnd();
    say(cli, "last words");
    cli.websocket.close();
    await Promise.all(
      [early, late].map((each) =>
        each.line(ofType("status", { text: "claude code disconnected" })),
      ),
    );
    expect(early.frames).toEqual([
      '{"type":"status","text":"claude code connected"}\n',
      "last words\n",
      '{"type":"status","text":"claude code disconnected"}\n',
    ]);
    expect(late.frames).toEqual([
      '{"type":"status","text":"claude code is connected"}\n',
      "last words\n",
      '{"type":"status","text":"claude code disconnected"}\n',
    ]);
  });
});

describe("what a front end says reaches the CLI that it is for", () => {
  test.each(["", "sess_abc123"])(
    "before that has said anything, with the session id %j, and in the middle of a turn",
    async (session_id) => {
      const running = await start();
      const cli = await running.cli();
      const [client, other] = [await running.frontEnd(), await running.frontEnd()];
      const user: RelayLine = { ...prompt("Fix the test failures"), session_id };
      client.send(user);
      const [, heard] = [await got(cli, "user"), await other.line(ofType("user"))];
      for (const line of [await got(cli, "user"), heard]) {
        expect(line).toMatchObject({ message: user["message"], parent_tool_use_id: null });
      }
      say(cli, { type: "system", subtype: "hook_started", session_id: "sess_abc123" });
      client.send(prompt("Are you there?"));
      await cli.until(() => cli.lines.filter(ofType("user")).length === 2);
      say(cli, init);
      await client.line(ofType("system", { subtype: "init" }));
      const from = cli.lines.length;
      client.send({ ...prompt("And the docs"), session_id: "sess_abc123" });
      expect(await got(cli, "user", from)).toMatchObject({
        message: { role: "user", content: "And the docs" },
        session_id: "sess_abc123",
      });
      expect(client.lines.filter(ofType("error"))).toEqual([]);
    },
  );

  test.each([
    { form: "flat", answer: (id: string) => flat(id) },
    { form: "nested", answer: (id: string) => nested(id, { behavior: "allow" }) },
  ])("as an answer in the $form form, named or not, without a tool use id", async ({ answer }) => {
    const running = await start();
    const cli = await running.cli();
    const client = await running.frontEnd();
    const allowed = { behavior: "allow" };
    say(cli, ask("first"));
    await client.line(ofType("control_request"));
    client.send(answer("first"));
    expect(await got(cli, "control_response")).toMatchObject({
      response: { request_id: "first", subtype: "success", response: allowed },
    });
    say(cli, init, ask("second"));
    await client.line(ofType("control_request", { request_id: "second" }));
    const from = cli.lines.length;
    client.send(answer("second"));
    expect(await got(cli, "control_response", from)).toMatchObject({
      response: {
        request_id: "second",
        subtype: "success",
        response: { ...allowed, updatedInput: { command: "npm test" } },
      },
    });
  });

  test("as a refusal in the flat form, before the CLI has named its conversation", async () => {
    const running = await start();
    const cli = await running.cli();
    const client = await running.frontEnd();
    say(cli, ask("first"));
    await client.line(ofType("control_request"));
    client.send(flat("first", false));
    expect(await got(cli, "control_response")).toMatchObject({
      response: { request_id: "first", response: { behavior: "deny", message: "" } },
    });
  });

  test("is answered by the relay itself where it approves everything", async () => {
    const running = await start({ isAutoApproving: true });
    const cli = await running.cli();
    say(cli, ask("first"));
    expect(await got(cli, "control_response")).toMatchObject({
      response: {
        request_id: "first",
        response: { behavior: "allow", updatedInput: { command: "npm test" } },
      },
    });
  });

  test("and to no other: with two CLIs each line says whose it is", async () => {
    const running = await start();
    const [one, two] = [await running.cli(), await running.cli()];
    const client = await running.frontEnd();
    say(one, { ...init, session_id: "session_one" }, ask("from one"));
    say(two, { ...init, session_id: "session_two" }, ask("from two"));
    const named = await client.line(ofType("control_request", { request_id: "from two" }));
    expect(named["session_id"]).toBe("session_two");
    client.send(flat("from two"));
    await got(two, "control_response");
    client.send(prompt("for one", "session_one"));
    await got(one, "user");
    expect(one.lines.filter(ofType("control_response"))).toEqual([]);
    expect(two.lines.filter(ofType("user"))).toEqual([]);
    const [echoed] = [await client.line(ofType("user"))];
    expect(echoed["session_id"]).toBe("session_one");
  });
});

test("what a CLI writes is for those only who reach its principal, also where two name one conversation alike", async () => {
  const authorize = ({ bearer = "" }) =>
    ["ann", "bob"].includes(bearer) ? { id: bearer, isAdmin: false } : null;
  const running = await startRelay({
    auth: { type: "authorize", authorize },
    hostOptions: { runtimes: [claudeCli()], defaultRuntime: "claude-cli" },
  });
  const as = (name: string, path: string) =>
    openRelay(`${running.relayUrl}${path}`, { headers: { authorization: `Bearer ${name}` } });
  const [ann, bob] = [await as("ann", "/ws"), await as("bob", "/ws")];
  const lines = say(await as("ann", "/"), "nameless", { ...init, model: "ann's" });
  expect(await received(ann, 2)).toEqual(lines);
  const alike = say(await as("bob", "/"), { ...init, model: "bob's" });
  expect(await received(bob, 1)).toEqual(alike);
  bob.send(prompt("let me", "sess_abc123"));
  await bob.until(() => bob.lines.some(ofType("user")) || bob.lines.some(ofType("error")));
  expect(linesOf(ann)).toEqual(lines);
});

describe("a CLI becomes the agent of a session", () => {
  test("in the default directory where its init names none", async () => {
    const running = await start();
    const cli = await running.cli();
    say(cli, init, result);
    const [info] = await sessionsOf(running);
    expect(info).toMatchObject({ provider_session_id: "sess_abc123" });
    expect(info?.cwd).toContain(tmpdir());
  });

  test("that ends for front ends when the CLI has gone for good, with its open request and its turn", async () => {
    const clock = new ManualClock();
    const running = await start({}, clock);
    const cli = await running.cli();
    const client = await running.frontEnd();
    client.send(prompt("work"));
    await got(cli, "user");
    say(cli, init, ask("open"));
    const [info] = await sessionsOf(running);
    const session = await running.session(info?.session_id ?? "");
    await expect.poll(() => Object.keys(session.control.requests)).toHaveLength(1);
    cli.websocket.terminate();
    await client.line(ofType("status", { text: "claude code disconnected" }));
    client.send(prompt("anybody there?", "sess_abc123"));
    expect(await client.line(ofType("error"))).toMatchObject({
      error: { code: "session_not_found", details: { reason: "no_agent" } },
    });
    await clock.advance(60_000);
    await client.line(ofType("control_cancel_request"));
    expect(await client.line(ofType("result"))).toMatchObject({
      subtype: "error_during_execution",
      is_error: true,
    });
  });
});
