import { appendFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { claudeHistory } from "../sdk/history.ts";
import { useClaudePlace } from "../test-support/claude-place.ts";
import { ClaudeSession, openClaudeHost } from "../test-support/claude-session.ts";

const place = useClaudePlace();

async function providerTitle({ providerSessionId }: ClaudeSession): Promise<string | undefined> {
  const sessions = await claudeHistory({}).list();
  return sessions.find((past) => past.provider_session_id === providerSessionId)?.title;
}

async function createSession(title: string): Promise<ClaudeSession> {
  const host = openClaudeHost(place);
  onTestFinished(() => host.close());
  return ClaudeSession.create(host, { title });
}

describe("the title of a session", () => {
  test("is the provider's from the first turn on, follows a rename, stays, and reaches it after a sleep in which it changed", async () => {
    const own = await createSession("Born with it");
    await own.turn("SCENARIO:text first");
    await expect.poll(() => providerTitle(own)).toBe("Born with it");
    await own.execute({ type: "rename", title: "Given later" });
    await expect.poll(() => providerTitle(own)).toBe("Given later");
    await own.turn("SCENARIO:text second");
    await own.session.hibernate();
    expect(await providerTitle(own)).toBe("Given later");
    await own.execute({ type: "rename", title: "While asleep" });
    await own.turn("SCENARIO:text third");
    await expect.poll(() => providerTitle(own)).toBe("While asleep");
  });

  test("that only repeats the first message gives way to the one that the CLI made", async () => {
    const own = await createSession("SCENARIO:text fir…");
    await own.turn("SCENARIO:text first things first");
    expect(own.session.info().title).toBe("SCENARIO:text fir…");
    await writeTitle(own, "Put first things first");
    await own.turn("SCENARIO:text second");
    await expect.poll(() => own.session.info().title).toBe("Put first things first");
    await own.execute({ type: "rename", title: "Mine" });
    await writeTitle(own, "Something else");
    await own.turn("SCENARIO:text third");
    await expect.poll(() => providerTitle(own)).toBe("Mine");
    expect(own.session.info().title).toBe("Mine");
  });
});

/** As the CLI notes a title that it has made, in the transcript. */
async function writeTitle({ providerSessionId = "" }: ClaudeSession, aiTitle: string) {
  const projects = join(process.env["CLAUDE_CONFIG_DIR"] ?? "", "projects");
  for (const file of await readdir(projects, { recursive: true })) {
    if (!file.endsWith(`${providerSessionId}.jsonl`)) continue;
    const line = { type: "ai-title", aiTitle, sessionId: providerSessionId };
    await appendFile(join(projects, file), `${JSON.stringify(line)}\n`);
    return;
  }
  throw new Error("There is no transcript.");
}
