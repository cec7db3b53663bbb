import { checkGrammar, type SessionEvent } from "@turnwire/protocol";
import { existsSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { openSqliteStore } from "@turnwire/log";
import { createSessionHost } from "../../2-session/create-session-host.ts";
import { openProcessRegistry } from "../process-registry.ts";
import { AgentSession, ending, spoken } from "../test-support/agent-session.ts";
import {
  longCommand,
  processesOf,
  processesWith,
  useCodexPlace,
} from "./test-support/codex-place.ts";
import { type DoomedPlan, killServerAt } from "./test-support/doomed-server.ts";

const place = useCodexPlace();

async function plan(parts: Partial<DoomedPlan> & { second: string }): Promise<DoomedPlan> {
  return {
    dataDirectory: await mkdtemp(join(place.directory, "data-")),
    home: place.home.path,
    env: place.home.env,
    cwd: place.cwd,
    runtime: "codex",
    sessionId: "doomed",
    mode: "auto",
    first: "SCENARIO:text first",
    ...parts,
  };
}

/** The next server on the same data, as `turnwire serve` starts it. */
async function restart({ dataDirectory, runtime, sessionId }: DoomedPlan): Promise<AgentSession> {
  const registry = await openProcessRegistry({ dataDirectory });
  await registry.reapLeftovers();
  const store = await openSqliteStore({ path: join(dataDirectory, "turnwire.db") });
  const host = createSessionHost({
    store,
    runtimes: [place.createRuntime({ registry }), place.createExecRuntime({ registry })],
    defaultRuntime: runtime,
    roots: [place.cwd],
  });
  onTestFinished(async () => {
    await host.close();
    await store.close();
  });
  return AgentSession.open(host, sessionId);
}

/** The events of the turn that was lost, once it is settled. */
async function lostTurn(own: AgentSession): Promise<SessionEvent[]> {
  const { turn_id = "" } = await own.until("error", ({ data }) => data.code === "turn_lost");
  return own.ended(turn_id);
}

async function expectToGoOn(own: AgentSession): Promise<void> {
  expect(spoken(await own.turn("SCENARIO:text afterwards"))).toBe("afterwards");
  const sent = JSON.stringify(place.standin.requests.at(-1)?.body);
  expect(sent).toContain("SCENARIO:text first");
  expect(checkGrammar(await own.events())).toEqual([]);
}

describe.runIf(process.platform === "linux")("a server that is killed", () => {
  test.each([
    { runtime: "codex", mode: "auto", type: "delta" },
    { runtime: "codex-exec", mode: "workspace-write", type: "turn_started" },
  ])(
    "in the middle of an answer of $runtime leaves no agent, and the next one continues",
    async ({ runtime, mode, type }) => {
      const gate = `killed-${runtime}`;
      const doomed = await plan({ runtime, mode, second: `SCENARIO:hold ${gate}` });
      await killServerAt(doomed, type, () => place.standin.reached(gate));
      const own = await restart(doomed);
      expect(await processesOf(place.home.path)).toEqual([]);
      expect(ending(await lostTurn(own))).toMatchObject({ isStopped: false, done: 1 });
      await expectToGoOn(own);
    },
  );

  test.each([
    { runtime: "codex", mode: "auto", words: longCommand() },
    { runtime: "codex-exec", mode: "workspace-write", words: longCommand() },
  ])(
    "while a command of $runtime runs leaves no command either",
    async ({ runtime, mode, words }) => {
      const doomed = await plan({ runtime, mode, second: `SCENARIO:tool ${words}` });
      await killServerAt(doomed, "turn_started", async () => {
        await expect.poll(() => processesWith(words)).not.toEqual([]);
      });
      const own = await restart(doomed);
      expect(await processesWith(words)).toEqual([]);
      expect(await processesOf(place.home.path)).toEqual([]);
      expect(ending(await lostTurn(own))).toMatchObject({ isStopped: false, done: 1 });
      await expectToGoOn(own);
    },
  );

  test("while a person is asked ends the request, and nothing was done", async () => {
    const second = "SCENARIO:tool touch never.txt";
    const doomed = await plan({ mode: "default", second });
    await killServerAt(doomed, "permission_request", async () => undefined);
    const own = await restart(doomed);
    const events = await lostTurn(own);
    expect(events).toContainEqual(
      expect.objectContaining({
        type: "permission_resolved",
        data: expect.objectContaining({ outcome: "orphaned" }),
      }),
    );
    expect(ending(events).done).toBe(1);
    await expectToGoOn(own);
    expect(existsSync(join(place.cwd, "never.txt"))).toBe(false);
  });
});
