import { describe, expect, onTestFinished, test } from "vitest";
import type { SessionHost } from "../../../server/src/3-host/session-host.ts";
import { AgentSession } from "../../../runtime/src/test-support/agent-session.ts";
import { useCodexPlace } from "../test-support/codex-place.ts";
import { Title } from "./title.ts";

const place = useCodexPlace();

function openHost(): SessionHost {
  const host = place.openHost();
  onTestFinished(() => host.close());
  return host;
}

/** How Codex itself calls the session's thread. */
async function nameOf(own: AgentSession): Promise<string | undefined> {
  const runtime = place.createRuntime();
  try {
    const threads = (await runtime.history?.list()) ?? [];
    return threads.find((past) => past.provider_session_id === own.providerSessionId)?.title;
  } finally {
    await runtime.close?.();
  }
}

async function titlesOf(own: AgentSession): Promise<(string | undefined)[]> {
  return (await own.events()).flatMap((event) =>
    event.type === "session_updated" && event.data.title !== undefined ? [event.data.title] : [],
  );
}

describe("the title of a session", () => {
  test("is the name of its thread, from the start and after each change", async () => {
    const own = await AgentSession.create(openHost(), { title: "At first" });
    await own.turn("SCENARIO:text first");
    await expect.poll(() => nameOf(own)).toBe("At first");
    await own.execute({ type: "rename", title: "Later" });
    await expect.poll(() => nameOf(own)).toBe("Later");
    await own.turn("SCENARIO:text second");
    // What Codex only repeats is not an event.
    expect(await titlesOf(own)).toEqual(["Later"]);
  });

  test("that was changed while the session slept reaches Codex when it wakes", async () => {
    const own = await AgentSession.create(openHost());
    await own.turn("SCENARIO:text first");
    await own.session.hibernate();
    await own.execute({ type: "rename", title: "While asleep" });
    expect(await nameOf(own)).toBe("SCENARIO:text first");
    await own.turn("SCENARIO:text second");
    await expect.poll(() => nameOf(own)).toBe("While asleep");
  });

  test("that Codex shows by itself is not given again", async () => {
    const passed: string[] = [];
    const title = new Title("How it began");
    title.opened({ name: null, preview: "How it began" });
    await title.pass(async (name) => passed.push(name));
    expect(passed).toEqual([]);
    title.opened({ name: "Another", preview: "How it began" });
    await title.pass(async (name) => passed.push(name));
    expect(passed).toEqual(["How it began"]);
  });

  test("is left to Codex where none was given", async () => {
    const own = await AgentSession.create(openHost());
    await own.turn("SCENARIO:text first");
    expect(await nameOf(own)).toBe("SCENARIO:text first");
    expect(await titlesOf(own)).toEqual([]);
  });
});
