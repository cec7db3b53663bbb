import { demo } from "@turnwire/runtime/demo";
import { tmpdir } from "node:os";
import { createClient, type Session, type SessionView } from "@turnwire/client";
import { serveFrontendTool, type FrontendTool } from "@turnwire/client/binding";
import { toolCallClaimMs } from "@turnwire/protocol";
import { createMemoryStore, createTurnwireServer, createSessionHost } from "@turnwire/server";
import { systemClock } from "@turnwire/base";
import { describe, expect, onTestFinished, test } from "vitest";

const token = "tool-test-token-0123456789-abcdefghijklmnopqr";
const renewalMs = toolCallClaimMs / 3;

/** The timers of claims: they fire only when a test lets time pass. */
class PageTime {
  #now = 0;
  #timers = new Set<{
    readonly at: number;
    readonly delayMs: number;
    readonly callback: () => void;
  }>();

  readonly startTimer = (callback: () => void, delayMs: number): (() => void) => {
    if (delayMs !== renewalMs && delayMs !== toolCallClaimMs) {
      const timer = setTimeout(callback, delayMs);
      return () => clearTimeout(timer);
    }
    const timer = { at: this.#now + delayMs, delayMs, callback };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  };

  /** Waits for a claim of another page to run out. */
  get isWaiting(): boolean {
    return [...this.#timers].some(({ delayMs }) => delayMs === toolCallClaimMs);
  }

  pass(ms: number): void {
    this.#now += ms;
    for (const timer of this.#timers) {
      if (timer.at > this.#now) continue;
      this.#timers.delete(timer);
      timer.callback();
    }
  }
}

/** A real server whose time a test holds in its hands, and a session on it. */
async function openServer() {
  let now = Date.UTC(2026, 10, 15, 9);
  const host = createSessionHost({
    store: createMemoryStore(),
    runtimes: [demo({ delayMs: 0 })],
    defaultRuntime: "demo",
    roots: [tmpdir()],
    clock: { ...systemClock, now: () => now },
  });
  const server = await createTurnwireServer({ host, auth: { type: "token", token } });
  const { url } = await server.listen();
  onTestFinished(() => server.close());
  const client = createClient({ url, token });
  const { session_id: id } = await client.sessions.create();
  const pass = (ms: number): void => {
    now += ms;
  };
  return { url, id, client, pass };
}

type OpenServer = Awaited<ReturnType<typeof openServer>>;

/** A page that serves the tool; what it performs is counted and answered by hand. */
async function openPage({ url, id }: OpenServer) {
  const time = new PageTime();
  const calls: { readonly answer: (color: string) => void; readonly signal: AbortSignal }[] = [];
  const client = createClient({
    url,
    token,
    transport: "sse",
    // Not as long as a claim: `PageTime` tells timers by their length.
    timeoutMs: 2 * toolCallClaimMs,
    startTimer: time.startTimer,
  });
  const session = client.openSession(id);
  onTestFinished(() => session.close());
  await session.waitFor(({ connection }) => connection.status === "live");
  const tool: FrontendTool = (_input, { signal }) =>
    new Promise((answer) => {
      calls.push({ answer, signal });
    });
  const stop = serveFrontendTool(session, "choose_color", tool);
  onTestFinished(stop);
  return { session, time, calls };
}

function claimIn({ session }: SessionView) {
  const [request] = Object.values(session.requests);
  return request?.type === "tool_call_request" ? request.claim : undefined;
}

async function claimedUntil(sessions: readonly Session[], earlier = ""): Promise<string> {
  const views = await Promise.all(
    sessions.map((session) =>
      session.waitFor((view) => (claimIn(view)?.expires_at ?? "") > earlier),
    ),
  );
  return views.map((view) => claimIn(view)?.expires_at ?? "").at(-1) ?? "";
}

/** Both pages serve the tool and one of them performs the call. */
async function openCall() {
  const server = await openServer();
  const pages = [await openPage(server), await openPage(server)] as const;
  await server.client.sessions.message(server.id, { message: "/frontend-tool" });
  await expect.poll(() => pages[0].calls.length + pages[1].calls.length).toBe(1);
  const [performing, waiting] = pages[0].calls.length === 1 ? pages : [pages[1], pages[0]];
  await claimedUntil([waiting.session]);
  await expect.poll(() => waiting.time.isWaiting).toBe(true);
  return { server, performing, waiting };
}

describe("a frontend tool in two pages", () => {
  test("is performed in one of them", async () => {
    const { server, performing, waiting } = await openCall();
    performing.calls[0]?.answer("teal");
    const isIdle = ({ session }: SessionView) => !session.turn && session.last_turn_id !== null;
    await Promise.all([performing, waiting].map(({ session }) => session.waitFor(isIdle)));
    expect(performing.calls).toHaveLength(1);
    expect(waiting.calls).toHaveLength(0);
    const { events } = await server.client.sessions.eventPage(server.id, { limit: 1_000 });
    const ofCall = events.map(({ type }) => type).filter((type) => type.startsWith("tool_call"));
    expect(ofCall).toEqual(["tool_call_request", "tool_call_claimed", "tool_call_resolved"]);
  });

  test("stays with the first while that one works, however long", async () => {
    const { server, performing, waiting } = await openCall();
    const sessions = [performing.session, waiting.session];
    let until = await claimedUntil(sessions);
    for (let passed = 0; passed < 2 * toolCallClaimMs; passed += renewalMs) {
      server.pass(renewalMs);
      const renewed = claimedUntil(sessions, until);
      // A renewal is due when the one before it has been answered, which a test cannot see.
      await expect
        .poll(() => {
          performing.time.pass(renewalMs);
          return (claimIn(waiting.session.getState())?.expires_at ?? "") > until;
        })
        .toBe(true);
      until = await renewed;
      waiting.time.pass(renewalMs);
    }
    performing.calls[0]?.answer("teal");
    await waiting.session.waitFor(({ session }) => Object.keys(session.requests).length === 0);
    expect(performing.calls.length + waiting.calls.length).toBe(1);
  });

  test("is performed in the second when the first is gone and its claim has run out", async () => {
    const { server, performing, waiting } = await openCall();
    performing.session.close();
    server.pass(toolCallClaimMs);
    waiting.time.pass(toolCallClaimMs);
    await expect.poll(() => waiting.calls.length).toBe(1);
    waiting.calls[0]?.answer("amber");
    await waiting.session.waitFor(({ session }) => Object.keys(session.requests).length === 0);
    const { events } = await server.client.sessions.eventPage(server.id, { limit: 1_000 });
    const ended = events.filter(({ type }) => type === "tool_call_resolved");
    expect(ended).toMatchObject([{ data: { outcome: "answered", output: "amber" } }]);
  });

  test("is aborted in a page that was frozen until another one took over", async () => {
    const { server, performing, waiting } = await openCall();
    server.pass(toolCallClaimMs);
    waiting.time.pass(toolCallClaimMs);
    await expect.poll(() => waiting.calls.length).toBe(1);
    await expect.poll(() => performing.calls[0]?.signal.aborted).toBe(true);
    performing.calls[0]?.answer("teal");
    waiting.calls[0]?.answer("amber");
    await waiting.session.waitFor(({ session }) => Object.keys(session.requests).length === 0);
    const { events } = await server.client.sessions.eventPage(server.id, { limit: 1_000 });
    const ended = events.filter(({ type }) => type === "tool_call_resolved");
    expect(ended).toMatchObject([{ data: { output: "amber" } }]);
  });
});
