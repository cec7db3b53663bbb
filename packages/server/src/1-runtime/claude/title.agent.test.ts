import { describe, expect, onTestFinished, test } from "vitest";
import { claudeHistory } from "./history.ts";
import { useClaudePlace } from "./test-support/claude-place.ts";
import { ClaudeSession, openClaudeHost } from "./test-support/claude-session.ts";
import { Title } from "./title.ts";

const place = useClaudePlace();

async function providerTitle({ providerSessionId }: ClaudeSession): Promise<string | undefined> {
  const sessions = await claudeHistory.list();
  return sessions.find((past) => past.provider_session_id === providerSessionId)?.title;
}

async function createSession(title: string): Promise<ClaudeSession> {
  const host = openClaudeHost(place);
  onTestFinished(() => host.close());
  return ClaudeSession.create(host, { title });
}

describe("the title of a session", () => {
  test("is the provider's from the first turn on, follows a rename, and stays", async () => {
    const own = await createSession("Born with it");
    await own.turn("SCENARIO:text first");
    await expect.poll(() => providerTitle(own)).toBe("Born with it");
    await own.execute({ type: "rename", title: "Given later" });
    await expect.poll(() => providerTitle(own)).toBe("Given later");
    await own.turn("SCENARIO:text second");
    await own.session.hibernate();
    expect(await providerTitle(own)).toBe("Given later");
  });

  test("that changed while it slept reaches the provider when it wakes", async () => {
    const own = await createSession("Before");
    await own.turn("SCENARIO:text first");
    await own.session.hibernate();
    await own.execute({ type: "rename", title: "While asleep" });
    await own.turn("SCENARIO:text second");
    await expect.poll(() => providerTitle(own)).toBe("While asleep");
  });

  test("is passed on once, and never before the provider has a session", async () => {
    const passed: string[] = [];
    const title = new Title(async (...words) => void passed.push(words.join(" ")), "One");
    await title.pass(undefined);
    await title.pass({ sessionId: "s1", isStart: true });
    expect(passed).toEqual([]);
    await title.pass({ sessionId: "s1" });
    await title.pass({ sessionId: "s1" });
    title.set("Two");
    await title.pass({ sessionId: "s1" });
    title.set(" ");
    await title.pass({ sessionId: "s1" });
    expect(passed).toEqual(["s1 One", "s1 Two"]);
  });
});
