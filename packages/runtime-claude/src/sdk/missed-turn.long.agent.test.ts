import { describe, expect, onTestFinished, test } from "vitest";
import type { SessionHost } from "../../../server/src/3-host/session-host.ts";
import { promptsOf } from "../../../runtime/src/test-support/said-prompts.ts";
import { useClaudePlace } from "../test-support/claude-place.ts";
import { continueInTerminal } from "../test-support/claude-program.ts";
import { ClaudeSession, openClaudeHost } from "../test-support/claude-session.ts";

const place = useClaudePlace();

function openHost(): SessionHost {
  const host = openClaudeHost(place);
  onTestFinished(() => host.close());
  return host;
}

describe("what was said in a terminal", () => {
  test("goes to the copy that it was said to", async () => {
    const host = openHost();
    const source = await ClaudeSession.create(host);
    await source.turn("SCENARIO:text first");
    const { forked } = await source.execute({ type: "fork" });
    const copy = await ClaudeSession.open(host, forked?.session_id ?? "");
    await continueInTerminal(place, copy, "SCENARIO:text second");
    await copy.turn("SCENARIO:text third");
    await source.session.hibernate();
    await source.turn("SCENARIO:text other");
    expect(await promptsOf(copy)).toEqual(["first", "second", "third"]);
    expect(await promptsOf(source)).toEqual(["first", "other"]);
  });

  test("is not confused with what the CLI writes when it compacts", async () => {
    const host = openHost();
    const session = await ClaudeSession.create(host);
    await session.turn("SCENARIO:text first");
    await session.turn("SCENARIO:tool echo by-a-tool");
    await session.execute({ type: "compact" });
    await session.until("compacted");
    await continueInTerminal(place, session, "SCENARIO:text second");
    await session.turn("SCENARIO:text third");
    expect(await promptsOf(session)).toEqual([
      "first",
      "SCENARIO:tool echo by-a-tool",
      "second",
      "third",
    ]);
  });
});
