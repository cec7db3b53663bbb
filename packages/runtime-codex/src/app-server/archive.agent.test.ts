import { describe, expect, onTestFinished, test } from "vitest";
import { createMemoryStore } from "@turnwire/log";
import { SessionHost } from "../../../server/src/3-host/session-host.ts";
import { admin } from "../../../server/src/test-support/test-host.ts";
import type { Runtime } from "@turnwire/runtime";
import { AgentSession, spoken } from "../../../runtime/src/test-support/agent-session.ts";
import { killServers, useCodexPlace } from "../test-support/codex-place.ts";
import { loseThread, runCodex } from "../test-support/codex-program.ts";

const place = useCodexPlace();

function openHost(runtime: Runtime = place.createRuntime()): SessionHost {
  const host = new SessionHost({
    store: createMemoryStore(),
    runtimes: [runtime],
    defaultRuntime: runtime.name,
    roots: [place.cwd],
  });
  onTestFinished(() => host.close());
  return host;
}

/** Whether the session's thread is in Codex's archive: then it has to be taken out before it is resumed. */
async function isArchived(own: AgentSession): Promise<boolean | undefined> {
  const runtime = place.createRuntime();
  try {
    const threads = (await runtime.history?.list()) ?? [];
    const thread = threads.find((past) => past.provider_session_id === own.providerSessionId);
    return thread?.resume_command.includes("unarchive");
  } finally {
    await runtime.close?.();
  }
}

describe.each([
  ["codex", () => place.createRuntime()],
  ["codex-exec", () => place.createExecRuntime()],
])("a session of %s", (_, createRuntime) => {
  test("takes its thread into the archive and out again, and then continues", async () => {
    const own = await AgentSession.create(openHost(createRuntime()));
    await own.turn("SCENARIO:text first");
    await own.execute({ type: "archive" });
    await expect.poll(() => isArchived(own)).toBe(true);
    expect(own.session.info().resume_command).toBeUndefined();
    await own.execute({ type: "unarchive" });
    expect(spoken(await own.turn("SCENARIO:text second"))).toBe("second");
    const sent = JSON.stringify(place.standin.requests.at(-1)?.body);
    expect(sent).toContain("SCENARIO:text first");
    expect(await isArchived(own)).toBe(false);
    expect((await own.events()).some(({ type }) => type === "error")).toBe(false);
  });

  test("says so when Codex has lost what is to be archived", async () => {
    const own = await AgentSession.create(openHost(createRuntime()));
    await own.turn("SCENARIO:text first");
    await own.session.hibernate();
    await killServers();
    await loseThread(place, own.providerSessionId ?? "");
    await own.execute({ type: "archive" });
    const { data } = await own.until("error");
    expect(data.message).toContain("archive");
  });

  test("without a thread is archived all the same", async () => {
    const own = await AgentSession.create(openHost(createRuntime()));
    await own.execute({ type: "archive" });
    await own.execute({ type: "unarchive" });
    expect(spoken(await own.turn("SCENARIO:text first"))).toBe("first");
  });
});

describe("the archive of Codex", () => {
  test("gives a thread back that a person put there, when its session continues", async () => {
    const own = await AgentSession.create(openHost());
    await own.turn("SCENARIO:text first");
    await own.session.hibernate();
    await killServers();
    await runCodex(place, "archive", own.providerSessionId ?? "");
    expect(spoken(await own.turn("SCENARIO:text second"))).toBe("second");
  });

  test("does not take a thread that another session is at", async () => {
    const host = openHost();
    const own = await AgentSession.create(host);
    await own.turn("SCENARIO:text first");
    await own.session.hibernate();
    const provider_session_id = own.providerSessionId ?? "";
    // As an earlier version could import it.
    const doubled = await host.create({ runtime: "codex", cwd: place.cwd }, admin, {
      past: async () => ({ origin: { provider_session_id }, history: [] }),
    });
    const other = await AgentSession.open(host, doubled.ok ? doubled.value.id : "");
    await other.turn("SCENARIO:text second");
    await own.execute({ type: "archive" });
    expect(spoken(await other.turn("SCENARIO:text third"))).toBe("third");
    expect(await isArchived(own)).toBe(false);
  });
});
