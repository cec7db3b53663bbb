import { draft, type EventDraft, noCapabilities } from "@turnwire/protocol";
import { describe, expect, test } from "vitest";
import { wholeLog } from "../../log/src/test-support/whole-log.ts";
import { demo } from "@turnwire/runtime/demo";
import { ofType, prompt, type RelayClient, startRelay } from "./test-support/relay-client.ts";
import { WatchedClock } from "../../server/src/4-transport/test-support/watched-clock.ts";

const native = {
  ...demo({ delayMs: 0 }),
  name: "native",
  capabilities: { ...noCapabilities, native_lines: true },
};

/** A server with a session whose agent dialled in, as its log shows it. */
async function startNative(options: Parameters<typeof startRelay>[0] = {}) {
  const hostOptions = { runtimes: [native], defaultRuntime: "native", ...options.hostOptions };
  const running = await startRelay({ ...options, hostOptions });
  const id = await running.createSession();
  const session = await running.session(id);
  return {
    ...running,
    id,
    session,
    say: async (lines: readonly string[]): Promise<void> => {
      const drafts = lines.map((line): EventDraft =>
        draft("native_line", { line, direction: "from_agent" }),
      );
      await wholeLog(session.log).append(drafts).committed;
    },
  };
}

async function received(client: RelayClient, count: number): Promise<string[]> {
  await client.until(() => client.frames.length >= count);
  return client.frames.map((frame) => frame.slice(0, -1));
}

describe("lines of an agent that dialled in", () => {
  const odd = ['{ "type":"assistant" ,"ü":"\\u00fc 😀 "}', "{not json", "[1,2 ]", '"\t"'];

  test("reach every front end byte for byte, live and late alike", async () => {
    const { say, frontEnd } = await startNative();
    const early = await frontEnd();
    await say(odd);
    expect(await received(early, odd.length)).toEqual(odd);
    const late = await frontEnd();
    expect(await received(late, odd.length)).toEqual(odd);
    await say(["after"]);
    expect((await received(late, odd.length + 1)).at(-1)).toBe("after");
    expect((await received(early, odd.length + 1)).at(-1)).toBe("after");
  });

  test("may have 16 MiB", async () => {
    const { say, frontEnd } = await startNative();
    const early = await frontEnd();
    const line = JSON.stringify({ type: "result", text: '"\n'.repeat(4 * 1024 * 1024 - 100) });
    expect(line.length).toBeGreaterThan(15 * 1024 * 1024);
    await say([line, "small"]);
    const [live] = await received(early, 2);
    const [late] = await received(await frontEnd(), 2);
    expect([live === line, late === line]).toEqual([true, true]);
  });

  test("begin with what was said before where retention has removed some of them", async () => {
    const { say, frontEnd, request, id, session } = await startNative({
      hostOptions: { retainEvents: 20 },
    });
    await request(`/sessions/${id}/message`, { json: { message: "hello" } });
    const lines = Array.from({ length: 100 }, (_, index) => `line ${index}`);
    for (const line of lines) await say([line]);
    await request(`/sessions/${id}/message`, { json: { message: "trims" } });
    while (session.log.oldest === 1) await say(["more"]);
    const late = await frontEnd();
    await late.until(() => late.frames.includes("more\n") || late.frames.includes("line 99\n"));
    expect(late.lines[0]).toMatchObject({ type: "system", subtype: "init" });
    expect(late.frames).not.toContain("line 0\n");
  });
});

describe("a front end that does not read", () => {
  test("is closed after a while, and delays no one else", async () => {
    const clock = new WatchedClock();
    const running = await startNative({ stallMs: 2000, clock });
    const { say, frontEnd } = running;
    const [slow, quick] = [await frontEnd(), await frontEnd()];
    slow.websocket.pause();
    const line = "x".repeat(200 * 1024);
    for (let count = 0; count < 150; count += 1) await say([line]);
    expect(await received(quick, 150)).toHaveLength(150);
    const slowReaders = async () => {
      await clock.beat(1);
      return running.metric("turnwire_slow_readers_total");
    };
    await expect.poll(slowReaders).toBe(1);
    slow.websocket.resume();
    expect(await slow.closed).toMatchObject({ code: 4408 });
    expect(slow.frames.length).toBeLessThan(150);
  });
});

describe("sessions on one connection", () => {
  test("that go to sleep are left, and continue where they were when they wake", async () => {
    const running = await startRelay();
    const id = await running.createSession();
    const client = await running.frontEnd();
    client.send(prompt("one"));
    await client.line(ofType("result"));
    const session = await running.session(id);
    await session.hibernate();
    client.send(prompt("two", id));
    await client.until(() => client.lines.filter(ofType("result")).length === 2);
    const prompts = client.lines.filter(ofType("user", { isReplay: true }));
    expect(prompts).toHaveLength(2);
    const uuids = client.lines.map(({ uuid }) => uuid);
    expect(new Set(uuids).size).toBe(uuids.length);
  });

  test("that are deleted end, and the connection stays", async () => {
    const running = await startRelay();
    const [first, second] = [await running.createSession(), await running.createSession()];
    const client = await running.frontEnd();
    await running.request(`/sessions/${first}`, { method: "DELETE" });
    client.send(prompt("gone?", first));
    expect(await client.line(ofType("error"))).toMatchObject({
      error: { code: "session_not_found" },
    });
    client.send(prompt("hello", second));
    await client.line(ofType("result", { session_id: second }));
  });
});
