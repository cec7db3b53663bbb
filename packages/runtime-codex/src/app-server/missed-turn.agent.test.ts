import { describe, expect, onTestFinished, test } from "vitest";
import { createMemoryStore } from "@turnwire/log";
import { PastSessions } from "../../../server/src/3-host/history.ts";
import type { SessionHost } from "../../../server/src/3-host/session-host.ts";
import { admin } from "../../../server/src/test-support/test-host.ts";
import { AgentSession } from "../../../runtime/src/test-support/agent-session.ts";
import { promptsOf } from "../../../runtime/src/test-support/said-prompts.ts";
import { remembered } from "../../../runtime/src/test-support/session-life.ts";
import { continueThread, execThread } from "../test-support/codex-program.ts";
import { useCodexPlace } from "../test-support/codex-place.ts";

const place = useCodexPlace();

function openHost(store = createMemoryStore()): { host: SessionHost; errors: unknown[] } {
  const errors: unknown[] = [];
  const host = place.openHost({}, { store, onError: (error) => errors.push(error) });
  onTestFinished(() => host.close());
  return { host, errors };
}

describe("what was said in a terminal", () => {
  test("is in the log before the next turn, once", async () => {
    const store = createMemoryStore();
    const earlier = openHost(store);
    const first = await AgentSession.create(earlier.host);
    await first.turn("SCENARIO:text first");
    const threadId = first.providerSessionId ?? "";
    await earlier.host.close();
    await continueThread(place, threadId, "SCENARIO:text second");

    const { host, errors } = openHost(store);
    const session = await AgentSession.open(host, first.session.id);
    await session.turn("SCENARIO:text third");
    expect(remembered(place.standin)).toEqual(["first", "second", "third"]);
    expect(await promptsOf(session)).toEqual(["first", "second", "third"]);
    await session.session.hibernate();
    await session.turn("SCENARIO:text fourth");
    expect(await promptsOf(session)).toEqual(["first", "second", "third", "fourth"]);
    expect(errors).toEqual([]);
  });

  test("is in the log also where Codex has had the thread open before", async () => {
    const { host, errors } = openHost();
    const session = await AgentSession.create(host);
    await session.turn("SCENARIO:text first");
    await session.session.hibernate();
    await expect.poll(() => session.session.info().resume_command).toBeDefined();
    await continueThread(place, session.providerSessionId ?? "", "SCENARIO:text second");
    await session.turn("SCENARIO:text third");
    expect(remembered(place.standin)).toEqual(["first", "second", "third"]);
    expect(await promptsOf(session)).toEqual(["first", "second", "third"]);
    expect(errors).toEqual([]);
  });

  test("is distinguished from what was copied, compacted or rolled back", async () => {
    const { host, errors } = openHost();
    const source = await AgentSession.create(host);
    await source.turn("SCENARIO:text first");
    const second = await source.say("SCENARIO:text second");
    await source.ended(second);
    await source.execute({ type: "rollback", turn_id: second });
    const { forked } = await source.execute({ type: "fork" });
    await source.execute({ type: "compact" });
    await source.until("compacted");
    await source.session.hibernate();
    await source.turn("SCENARIO:text third");
    expect(await promptsOf(source)).toEqual(["first", "second", "third"]);
    const copy = await AgentSession.open(host, forked?.session_id ?? "");
    await copy.turn("SCENARIO:text other");
    await copy.session.hibernate();
    await copy.turn("SCENARIO:text another");
    expect(await promptsOf(copy)).toEqual(["first", "other", "another"]);
    expect(errors).toEqual([]);
  });

  test("is distinguished from what was imported and copied", async () => {
    const { host, errors } = openHost();
    const provider_session_id = await execThread(place, "SCENARIO:text first");
    const imported = await new PastSessions(host).import(
      { runtime: "codex", provider_session_id },
      admin,
    );
    const source = await AgentSession.open(host, imported.ok ? imported.value.info.session_id : "");
    const { forked } = await source.execute({ type: "fork" });
    const copy = await AgentSession.open(host, forked?.session_id ?? "");
    await copy.turn("SCENARIO:text second");
    await source.turn("SCENARIO:text third");
    expect(await promptsOf(copy)).toEqual(["first", "second"]);
    expect(await promptsOf(source)).toEqual(["first", "third"]);
    expect(errors).toEqual([]);
  });
});
