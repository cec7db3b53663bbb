import { describe, expect, test } from "vitest";
import { killAgents, useClaudePlace } from "../test-support/claude-place.ts";
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
  test("remembers the turn in which its host died, and does not run it again", async () => {
    const { open } = openHosts(place);
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
    expect(remembered(place)).toEqual(["one", "two", "three"]);
  });

  test("has no hole after the store was away for a while, which the log says", async () => {
    const { open, transcripts } = openHosts(place);
    const [a, b] = [open("a"), open("b")];
    const first = await ClaudeSession.create(a);
    await first.turn("SCENARIO:text one");
    transcripts.problem = away;
    await first.turn("SCENARIO:text two");
    await first.until("notice", ({ data }) => data.text.includes("the store is away"));
    transcripts.problem = undefined;
    await first.turn("SCENARIO:text three");
    const second = await move(first, a, b);
    await second.turn("SCENARIO:text four");
    expect(remembered(place)).toEqual(["one", "two", "three", "four"]);
  });

  test("is refused where neither the store nor the host has it: no other conversation begins", async () => {
    const { open, transcripts } = openHosts(place);
    const [a, b] = [open("a"), open("b")];
    transcripts.problem = away;
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

describe("what was said in a turn whose host died before the store had it", () => {
  test("is repeated to the agent with the next message, once, which the log says", async () => {
    const { second, b, open } = await loseRecord(place);
    const events = await second.turn("SCENARIO:text three");
    expect(remembered(place)).toEqual(["one", "two", "three"]);
    expect(noticesOf(events)).toEqual([expect.stringContaining("no record of what was said")]);
    const later = await second.turn("SCENARIO:text four");
    expect(remembered(place)).toEqual(["one", "two", "three", "four"]);
    expect(noticesOf(later)).toEqual([]);
    const third = await move(second, b, open("a"));
    expect(noticesOf(await third.turn("SCENARIO:text five"))).toEqual([]);
    expect(remembered(place)).toEqual(["one", "two", "three", "four", "five"]);
  });
});

describe("what was said in a turn in which its agent died", () => {
  test("is repeated where it had joined the turn and the agent had not come to it", async () => {
    const { open } = openHosts(place);
    const own = await ClaudeSession.create(open("a"));
    const turnId = await own.say("SCENARIO:tool touch one");
    await own.asked(turnId);
    await own.execute({ type: "steer", content: "SCENARIO:text two" });
    await killAgents();
    await own.ended(turnId);
    await own.turn("SCENARIO:text three");
    expect(remembered(place)).toEqual(["one", "two", "three"]);
  });
});

describe("a conversation of the CLI without the SDK", () => {
  test("continues on another host, with the turn in which its host died", async () => {
    const { a, b } = openCliHosts(place);
    const first = await ClaudeSession.create(a);
    await first.turn("SCENARIO:text one");
    await first.asked(await first.say("SCENARIO:tool touch two"));
    await killAgents();
    const second = await move(first, a, b);
    await second.turn("SCENARIO:text three");
    expect(remembered(place)).toEqual(["one", "two", "three"]);
  });
});
