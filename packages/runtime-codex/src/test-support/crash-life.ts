import { checkGrammar, type SessionEvent } from "@turnwire/protocol";
import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { openSqliteStore } from "@turnwire/log";
import { createSessionHost } from "../../../server/src/3-host/create-session-host.ts";
import { openProcessRegistry } from "@turnwire/runtime/process";
import { AgentSession, ending, spoken } from "../../../runtime/src/test-support/agent-session.ts";
import { type CodexPlace, longCommand, processesOf, processesWith } from "./codex-place.ts";
import { type DoomedPlan, killServerAt } from "./doomed-server.ts";

export async function planCrash(
  place: CodexPlace,
  parts: Partial<DoomedPlan> & { second: string },
): Promise<DoomedPlan> {
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
export async function restart(
  place: CodexPlace,
  { dataDirectory, runtime, sessionId }: DoomedPlan,
): Promise<AgentSession> {
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
export async function lostTurn(own: AgentSession): Promise<SessionEvent[]> {
  const { turn_id = "" } = await own.until("error", ({ data }) => data.code === "turn_lost");
  return own.ended(turn_id);
}

export async function expectToGoOn(place: CodexPlace, own: AgentSession): Promise<void> {
  expect(spoken(await own.turn("SCENARIO:text afterwards"))).toBe("afterwards");
  const sent = JSON.stringify(place.standin.requests.at(-1)?.body);
  expect(sent).toContain("SCENARIO:text first");
  expect(checkGrammar(await own.events())).toEqual([]);
}

interface KilledTurn {
  readonly runtime: "codex" | "codex-exec";
  readonly mode: string;
}

/** Kills the server in the middle of an answer, once the turn has made an event of the type; how that turn ended. */
export async function loseAnswer(
  place: CodexPlace,
  { type, ...turn }: KilledTurn & { readonly type: string },
) {
  const gate = `killed-${turn.runtime}`;
  const doomed = await planCrash(place, { ...turn, second: `SCENARIO:hold ${gate}` });
  await killServerAt(doomed, type, () => place.standin.reached(gate));
  const own = await restart(place, doomed);
  expect(await processesOf(place.home.path)).toEqual([]);
  const lost = ending(await lostTurn(own));
  await expectToGoOn(place, own);
  return lost;
}

/** Kills the server while a command of the agent runs; how that turn ended. */
export async function loseCommand(place: CodexPlace, turn: KilledTurn) {
  const words = longCommand();
  const doomed = await planCrash(place, { ...turn, second: `SCENARIO:tool ${words}` });
  await killServerAt(doomed, "turn_started", async () => {
    await expect.poll(() => processesWith(words)).not.toEqual([]);
  });
  const own = await restart(place, doomed);
  expect(await processesWith(words)).toEqual([]);
  expect(await processesOf(place.home.path)).toEqual([]);
  const lost = ending(await lostTurn(own));
  await expectToGoOn(place, own);
  return lost;
}
