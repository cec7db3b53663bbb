import { createMemoryStore, StoreError } from "@turnwire/log";
import type { SessionEvent } from "@turnwire/protocol";
import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { SessionHost } from "../../2-session/session-host.ts";
import type { SessionHostOptions } from "../../2-session/session-host-options.ts";
import { MemoryTranscripts } from "../../test-support/memory-transcripts.ts";
import { killAgents, livingAgents, useClaudePlace } from "./test-support/claude-place.ts";
import { createClaudeCliRuntime } from "../claude-cli/runtime.ts";
import { runClaude } from "./test-support/claude-program.ts";
import { ClaudeSession, openClaudeHost } from "./test-support/claude-session.ts";

const place = useClaudePlace();

/** Hosts of one store, each with a configuration directory of its own: what one CLI writes, the other does not see. */
function openHosts(
  options: (env: Record<string, string>) => Partial<SessionHostOptions> = () => ({}),
) {
  const transcripts = new MemoryTranscripts();
  const store = Object.assign(createMemoryStore(), { transcripts });
  const suffix = randomUUID();
  const directory = (name: string) => join(place.cwd, "..", `${name}-${suffix}`);
  const open = (name: string): SessionHost => {
    const env = { ...place.env, CLAUDE_CONFIG_DIR: directory(name) };
    const own = { store, onError: () => undefined, ...options(env) };
    const host = openClaudeHost(place, { env }, own);
    onTestFinished(() => host.close());
    return host;
  };
  onTestFinished(async () => {
    for (const name of ["a", "b"]) await rm(directory(name), { recursive: true, force: true });
  });
  return { open, transcripts, directory };
}

/** Closes a host and opens the session on another. */
async function move(session: ClaudeSession, from: SessionHost, to: SessionHost) {
  const { id } = session.session;
  await from.close();
  return ClaudeSession.open(to, id);
}

/** What the model was sent in its newest call. */
function remembered(): string[] {
  const body = JSON.stringify(place.standin.requests.at(-1)?.body);
  return Array.from(body.matchAll(/SCENARIO:(?:text|tool touch) (\w+)/g), ([, word = ""]) => word);
}

describe("a conversation that continues on another host", () => {
  test("is remembered whole, there and back again", async () => {
    const { open } = openHosts();
    const [a, b] = [open("a"), open("b")];
    const first = await ClaudeSession.create(a);
    await first.turn("SCENARIO:text one");
    await first.turn("SCENARIO:text two");
    const second = await move(first, a, b);
    await second.turn("SCENARIO:text three");
    expect(remembered()).toEqual(["one", "two", "three"]);
    const third = await move(second, b, open("a"));
    await third.turn("SCENARIO:text four");
    expect(remembered()).toEqual(["one", "two", "three", "four"]);
  });

  test("remembers the turn in which its host died, and does not run it again", async () => {
    const { open } = openHosts();
    const [a, b] = [open("a"), open("b")];
    const first = await ClaudeSession.create(a);
    await first.turn("SCENARIO:text one");
    const turnId = await first.say("SCENARIO:tool touch two");
    await first.asked(turnId);
    await killAgents();
    const second = await move(first, a, b);
    const calls = place.standin.requests.length;
    await second.session.wake();
    expect(place.standin.requests).toHaveLength(calls);
    await second.turn("SCENARIO:text three");
    expect(remembered()).toEqual(["one", "two", "three"]);
  });

  test("can be rolled back and forked there", async () => {
    const { open } = openHosts();
    const [a, b] = [open("a"), open("b")];
    const first = await ClaudeSession.create(a);
    await first.turn("SCENARIO:text one");
    const [started] = await first.turn("SCENARIO:text two");
    const second = await move(first, a, b);
    const { forked } = await second.execute({ type: "fork" });
    await second.execute({ type: "rollback", turn_id: started?.turn_id ?? "" });
    await second.turn("SCENARIO:text three");
    expect(remembered()).toEqual(["one", "three"]);
    const copy = await ClaudeSession.open(b, forked?.session_id ?? "");
    const moved = await move(copy, b, open("a"));
    await moved.turn("SCENARIO:text four");
    expect(remembered()).toEqual(["one", "two", "four"]);
  });

  test("takes along what was said in a terminal", async () => {
    const { open, directory } = openHosts();
    const [a, b] = [open("a"), open("b")];
    const first = await ClaudeSession.create(a);
    await first.turn("SCENARIO:text one");
    await first.session.hibernate();
    const id = first.providerSessionId ?? "";
    const env = { ...place.env, CLAUDE_CONFIG_DIR: directory("a") };
    const terminal = { cwd: place.cwd, env };
    await runClaude(
      terminal,
      "-p",
      "--model",
      "claude-opus-5-5",
      "--resume",
      id,
      "SCENARIO:text two",
    );
    await first.turn("SCENARIO:text three");
    const second = await move(first, a, b);
    await second.turn("SCENARIO:text four");
    expect(remembered()).toEqual(["one", "two", "three", "four"]);
  });

  test("may have begun in a process that was started ahead", async () => {
    const { open } = openHosts((env) => ({
      runtimes: [place.createRuntime({ env, warmProcesses: 1 })],
    }));
    const [a, b] = [open("a"), open("b")];
    const earlier = await ClaudeSession.create(a);
    await earlier.turn("SCENARIO:text other");
    await earlier.session.hibernate();
    await expect.poll(livingAgents).toHaveLength(1);
    const spare = await livingAgents();
    const first = await ClaudeSession.create(a);
    await first.turn("SCENARIO:text one");
    expect(await livingAgents()).toEqual(expect.arrayContaining(spare));
    const second = await move(first, a, b);
    await second.turn("SCENARIO:text two");
    expect(remembered()).toEqual(["one", "two"]);
  });

  test("has no hole after the store was away for a while, which the log says", async () => {
    const { open, transcripts } = openHosts();
    const [a, b] = [open("a"), open("b")];
    const first = await ClaudeSession.create(a);
    await first.turn("SCENARIO:text one");
    transcripts.problem = new StoreError("unavailable", "the store is away");
    await first.turn("SCENARIO:text two");
    await first.until("notice", ({ data }) => data.text.includes("the store is away"));
    transcripts.problem = undefined;
    await first.turn("SCENARIO:text three");
    const second = await move(first, a, b);
    await second.turn("SCENARIO:text four");
    expect(remembered()).toEqual(["one", "two", "three", "four"]);
  });

  test("is refused where neither the store nor the host has it: no other conversation begins", async () => {
    const { open, transcripts } = openHosts();
    const [a, b] = [open("a"), open("b")];
    transcripts.problem = new StoreError("unavailable", "the store is away");
    const first = await ClaudeSession.create(a);
    await first.turn("SCENARIO:text one");
    const second = await move(first, a, b);
    const calls = place.standin.requests.length;
    const events = await second.turn("SCENARIO:text two");
    expect(events).toContainEqual(
      expect.objectContaining({
        type: "error",
        data: expect.objectContaining({ code: "workspace_unavailable", retryable: false }),
      }),
    );
    expect(place.standin.requests).toHaveLength(calls);
    expect(second.providerSessionId).toBe(first.providerSessionId);
  });
});

/** What the log says in a turn, apart from the conversation. */
function noticesOf(events: readonly SessionEvent[]): string[] {
  return events.flatMap((event) => (event.type === "notice" ? [event.data.text] : []));
}

const away = new StoreError("unavailable", "the store is away");

describe("what was said in a turn whose host died before the store had it", () => {
  /** Two hosts, and a session of the first whose newest turn was lost, and with it its record. */
  async function loseRecord() {
    const { open, transcripts } = openHosts();
    const [a, b] = [open("a"), open("b")];
    const first = await ClaudeSession.create(a);
    await first.turn("SCENARIO:text one");
    transcripts.problem = away;
    await first.asked(await first.say("SCENARIO:tool touch two"));
    await killAgents();
    transcripts.endLeases();
    transcripts.problem = undefined;
    const second = await move(first, a, b);
    return { second, b, open };
  }

  test("is repeated to the agent with the next message, once, which the log says", async () => {
    const { second, b, open } = await loseRecord();
    const events = await second.turn("SCENARIO:text three");
    expect(remembered()).toEqual(["one", "two", "three"]);
    expect(noticesOf(events)).toEqual([expect.stringContaining("no record of what was said")]);
    const later = await second.turn("SCENARIO:text four");
    expect(remembered()).toEqual(["one", "two", "three", "four"]);
    expect(noticesOf(later)).toEqual([]);
    const third = await move(second, b, open("a"));
    expect(noticesOf(await third.turn("SCENARIO:text five"))).toEqual([]);
    expect(remembered()).toEqual(["one", "two", "three", "four", "five"]);
  });

  test("is repeated again after the turn that brought it was rolled back, unless it was itself", async () => {
    const { second } = await loseRecord();
    const [started] = await second.turn("SCENARIO:text three");
    await second.execute({ type: "rollback", turn_id: started?.turn_id ?? "" });
    await second.turn("SCENARIO:text four");
    expect(remembered()).toEqual(["one", "two", "four"]);
    const turns = (await second.events()).filter(({ type }) => type === "turn_started");
    await second.execute({ type: "rollback", turn_id: turns[1]?.turn_id ?? "" });
    await second.turn("SCENARIO:text five");
    expect(remembered()).toEqual(["one", "five"]);
  });

  test("is repeated in a copy of the session too", async () => {
    const { second, b } = await loseRecord();
    const { forked } = await second.execute({ type: "fork" });
    const copy = await ClaudeSession.open(b, forked?.session_id ?? "");
    await copy.turn("SCENARIO:text three");
    expect(remembered()).toEqual(["one", "two", "three"]);
  });

  test("is all that a new conversation begins with when nothing else was ever said", async () => {
    const { open, transcripts } = openHosts();
    const [a, b] = [open("a"), open("b")];
    transcripts.problem = away;
    const first = await ClaudeSession.create(a);
    await first.asked(await first.say("SCENARIO:tool touch one"));
    await killAgents();
    transcripts.endLeases();
    transcripts.problem = undefined;
    const second = await move(first, a, b);
    const calls = place.standin.requests.length;
    expect(await second.session.wake()).toMatchObject({ ok: true });
    expect(place.standin.requests).toHaveLength(calls);
    await second.turn("SCENARIO:text two");
    expect(remembered()).toEqual(["one", "two"]);
    expect(second.providerSessionId).not.toBe(first.providerSessionId);
  });
});

describe("what was said in a turn in which its agent died", () => {
  test("is in the store when the turn asks somebody, and not repeated, nor in a copy", async () => {
    const { open, transcripts } = openHosts();
    const a = open("a");
    const own = await ClaudeSession.create(a);
    await own.turn("SCENARIO:text one");
    const turnId = await own.say("SCENARIO:tool touch two");
    await own.asked(turnId);
    const stored = await transcripts.loadTranscript({ conversation: own.providerSessionId ?? "" });
    expect(stored?.map(({ id }) => id)).toContain(turnId);
    await killAgents();
    await own.ended(turnId);
    const { forked } = await own.execute({ type: "fork" });
    const copy = await ClaudeSession.open(a, forked?.session_id ?? "");
    for (const session of [own, copy]) {
      expect(noticesOf(await session.turn("SCENARIO:text three"))).toEqual([]);
      expect(remembered()).toEqual(["one", "two", "three"]);
    }
  });

  test("is repeated where it had joined the turn and the agent had not come to it", async () => {
    const { open } = openHosts();
    const own = await ClaudeSession.create(open("a"));
    const turnId = await own.say("SCENARIO:tool touch one");
    await own.asked(turnId);
    await own.execute({ type: "steer", content: "SCENARIO:text two" });
    await killAgents();
    await own.ended(turnId);
    await own.turn("SCENARIO:text three");
    expect(remembered()).toEqual(["one", "two", "three"]);
  });
});

describe("a conversation of the CLI without the SDK", () => {
  /** Hosts that drive the CLI themselves. */
  function openCliHosts() {
    const { open, ...rest } = openHosts((env) => ({
      runtimes: [createClaudeCliRuntime({ env, model: "claude-opus-5-5" })],
      defaultRuntime: "claude-cli",
    }));
    return { a: open("a"), b: open("b"), ...rest };
  }

  test("continues on another host, with the turn in which its host died", async () => {
    const { a, b } = openCliHosts();
    const first = await ClaudeSession.create(a);
    await first.turn("SCENARIO:text one");
    await first.asked(await first.say("SCENARIO:tool touch two"));
    await killAgents();
    const second = await move(first, a, b);
    await second.turn("SCENARIO:text three");
    expect(remembered()).toEqual(["one", "two", "three"]);
  });

  test("has what was said in a turn in the store when the turn asks somebody, and is given again what is not there", async () => {
    const { a, b, transcripts } = openCliHosts();
    const first = await ClaudeSession.create(a);
    const turnId = await first.say("SCENARIO:tool touch one");
    await first.asked(turnId);
    const conversation = first.providerSessionId ?? "";
    const stored = await transcripts.loadTranscript({ conversation });
    expect(stored?.map(({ id }) => id)).toContain(turnId);
    await first.decide(turnId, { behavior: "allow" });
    transcripts.problem = away;
    await first.asked(await first.say("SCENARIO:tool touch two"));
    await killAgents();
    transcripts.endLeases();
    transcripts.problem = undefined;
    const second = await move(first, a, b);
    await second.turn("SCENARIO:text three");
    expect(remembered()).toEqual(["one", "two", "three"]);
  });

  test("says when its record cannot be stored, and is refused where there is none", async () => {
    const { a, b, transcripts } = openCliHosts();
    transcripts.problem = new StoreError("unavailable", "the store is away");
    const first = await ClaudeSession.create(a);
    await first.turn("SCENARIO:text one");
    await first.until("notice", ({ data }) => data.text.includes("the store is away"));
    const second = await move(first, a, b);
    const calls = place.standin.requests.length;
    const events = await second.turn("SCENARIO:text two");
    const errors = events.flatMap((event) => (event.type === "error" ? [event.data.code] : []));
    expect(errors).toEqual(["workspace_unavailable"]);
    expect(place.standin.requests).toHaveLength(calls);
  });
});
