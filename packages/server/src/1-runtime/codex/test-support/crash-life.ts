import { checkGrammar, type SessionEvent } from "@turnwire/protocol";
import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { openSqliteStore } from "@turnwire/log";
import { createSessionHost } from "../../../2-session/create-session-host.ts";
import { openProcessRegistry } from "../../process-registry.ts";
import { AgentSession, spoken } from "../../test-support/agent-session.ts";
import type { CodexPlace } from "./codex-place.ts";
import type { DoomedPlan } from "./doomed-server.ts";

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
