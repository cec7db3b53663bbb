import { describe, expect, test } from "vitest";
import { killAgents, livingAgents, useClaudePlace } from "../test-support/claude-place.ts";
import { runClaude } from "../test-support/claude-program.ts";
import { ClaudeSession } from "../test-support/claude-session.ts";
import {
  away,
  loseRecord,
  move,
  noticesOf,
  openCliHosts,
  openHosts,
  remembered,
} from "../test-support/transcript-hosts.ts";

const place = useClaudePlace();

describe("a conversation that continues on another host", () => {
  test("is remembered whole, there and back again", async () => {
    const { open } = openHosts(place);
    const [a, b] = [open("a"), open("b")];
    const first = await ClaudeSession.create(a);
    await first.turn("SCENARIO:text one");
    await first.turn("SCENARIO:text two");
    const second = await move(first, a, b);
    await second.turn("SCENARIO:text three");
    expect(remembered(place)).toEqual(["one", "two", "three"]);
    const third = await move(second, b, open("a"));
    await third.turn("SCENARIO:text four");
    expect(remembered(place)).toEqual(["one", "two", "three", "four"]);
  });

  test("can be rolled back and forked there", async () => {
    const { open } = openHosts(place);
    const [a, b] = [open("a"), open("b")];
    const first = await ClaudeSession.create(a);
    await first.turn("SCENARIO:text one");
    const [started] = await first.turn("SCENARIO:text two");
    const second = await move(first, a, b);
    const { forked } = await second.execute({ type: "fork" });
    await second.execute({ type: "rollback", turn_id: started?.turn_id ?? "" });
    await second.turn("SCENARIO:text three");
    expect(remembered(place)).toEqual(["one", "three"]);
    const copy = await ClaudeSession.open(b, forked?.session_id ?? "");
    const moved = await move(copy, b, open("a"));
    await moved.turn("SCENARIO:text four");
    expect(remembered(place)).toEqual(["one", "two", "four"]);
  });

  test("takes along what was said in a terminal", async () => {
    const { open, directory } = openHosts(place);
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
    expect(remembered(place)).toEqual(["one", "two", "three", "four"]);
  });

  test("may have begun in a process that was started ahead", async () => {
    const { open } = openHosts(place, (env) => ({
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
    expect(remembered(place)).toEqual(["one", "two"]);
  });
});

describe("what was said in a turn whose host died before the store had it", () => {
  test("is repeated again after the turn that brought it was rolled back, unless it was itself", async () => {
    const { second } = await loseRecord(place);
    const [started] = await second.turn("SCENARIO:text three");
    await second.execute({ type: "rollback", turn_id: started?.turn_id ?? "" });
    await second.turn("SCENARIO:text four");
    expect(remembered(place)).toEqual(["one", "two", "four"]);
    const turns = (await second.events()).filter(({ type }) => type === "turn_started");
    await second.execute({ type: "rollback", turn_id: turns[1]?.turn_id ?? "" });
    await second.turn("SCENARIO:text five");
    expect(remembered(place)).toEqual(["one", "five"]);
  });

  test("is repeated in a copy of the session too", async () => {
    const { second, b } = await loseRecord(place);
    const { forked } = await second.execute({ type: "fork" });
    const copy = await ClaudeSession.open(b, forked?.session_id ?? "");
    await copy.turn("SCENARIO:text three");
    expect(remembered(place)).toEqual(["one", "two", "three"]);
  });

  test("is all that a new conversation begins with when nothing else was ever said", async () => {
    const { open, transcripts } = openHosts(place);
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
    expect(remembered(place)).toEqual(["one", "two"]);
    expect(second.providerSessionId).not.toBe(first.providerSessionId);
  });
});

describe("what was said in a turn in which its agent died", () => {
  test("is in the store when the turn asks somebody, and not repeated, nor in a copy", async () => {
    const { open, transcripts } = openHosts(place);
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
      expect(remembered(place)).toEqual(["one", "two", "three"]);
    }
  });
});

describe("a conversation of the CLI without the SDK", () => {
  test("has what was said in a turn in the store when the turn asks somebody, and is given again what is not there", async () => {
    const { a, b, transcripts } = openCliHosts(place);
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
    expect(remembered(place)).toEqual(["one", "two", "three"]);
  });

  test("says when its record cannot be stored, and is refused where there is none", async () => {
    const { a, b, transcripts } = openCliHosts(place);
    transcripts.problem = away;
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
