import { describe, expect, onTestFinished, test } from "vitest";
import type { SessionHost } from "../../../server/src/3-host/session-host.ts";
import { promptsOf } from "../../../runtime/src/test-support/said-prompts.ts";
import { remembered } from "../../../runtime/src/test-support/session-life.ts";
import { useClaudePlace } from "../test-support/claude-place.ts";
import { continueInTerminal } from "../test-support/claude-program.ts";
import { ClaudeSession, openClaudeHost } from "../test-support/claude-session.ts";

const place = useClaudePlace();

function openHost(): { host: SessionHost; errors: unknown[] } {
  const errors: unknown[] = [];
  const host = openClaudeHost(place, {}, { onError: (error) => errors.push(error) });
  onTestFinished(() => host.close());
  return { host, errors };
}

describe("what was said in a terminal", () => {
  test("is in the log before the next turn, once", async () => {
    const { host, errors } = openHost();
    const session = await ClaudeSession.create(host);
    await session.turn("SCENARIO:text first");
    await continueInTerminal(place, session, "SCENARIO:text second");
    await session.turn("SCENARIO:text third");
    expect(remembered(place.standin)).toEqual(["first", "second", "third"]);
    const words = ["first", "second", "third"];
    expect(await promptsOf(session)).toEqual(words);
    await session.session.hibernate();
    await session.turn("SCENARIO:text fourth");
    expect(await promptsOf(session)).toEqual([...words, "fourth"]);
    const { state } = await session.session.snapshot();
    expect(state.messages.map(({ role }) => role)).toEqual(
      [1, 2, 3, 4].flatMap(() => ["user", "agent"]),
    );
    expect(errors).toEqual([]);
  });

  test("can be rolled back, and what was rolled back does not return", async () => {
    const { host } = openHost();
    const session = await ClaudeSession.create(host);
    await session.turn("SCENARIO:text first");
    await continueInTerminal(place, session, "SCENARIO:text second", "SCENARIO:text third");
    await session.session.wake();
    const started = (await session.events()).filter(({ type }) => type === "turn_started");
    expect(started).toHaveLength(3);
    await session.execute({ type: "rollback", turn_id: started[1]?.turn_id ?? "" });
    await session.session.hibernate();
    await session.turn("SCENARIO:text fourth");
    expect(remembered(place.standin)).toEqual(["first", "fourth"]);
    await session.session.hibernate();
    await session.turn("SCENARIO:text fifth");
    expect(await promptsOf(session)).toEqual(["first", "second", "third", "fourth", "fifth"]);
  });
});
