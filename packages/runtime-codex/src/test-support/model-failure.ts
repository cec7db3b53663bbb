import { checkGrammar, type SessionEvent } from "@turnwire/protocol";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { SessionHost } from "../../../server/src/3-host/session-host.ts";
import { AgentSession, ending } from "../../../runtime/src/test-support/agent-session.ts";
import type { CodexPlace } from "./codex-place.ts";

export interface ModelFailure {
  readonly scenario: string;
  /** How often Codex asks: the home allows one retry of a request and one of a stream; 5xx are tried in both ways. */
  readonly calls: number;
  readonly code: string;
  readonly retryable: boolean;
}

export function errorsIn(events: readonly SessionEvent[]) {
  return events.flatMap((event) => (event.type === "error" ? [event.data] : []));
}

/** Turns of one session in which the model fails, each with one that it answers after that. */
export function testModelFailures(place: CodexPlace, failures: readonly ModelFailure[]): void {
  let host: SessionHost;
  let own: AgentSession;

  beforeAll(async () => {
    host = place.openHost();
    own = await AgentSession.create(host);
  });

  afterAll(async () => {
    const violations = checkGrammar(await own.events());
    await host.close();
    if (violations.length > 0) throw new Error(JSON.stringify(violations));
  });

  test.each(failures)(
    "with $scenario the turn says so after $calls calls, and the next is answered",
    async ({ scenario, calls, code, retryable }) => {
      const before = place.standin.requests.length;
      const events = await own.turn(`SCENARIO:${scenario}`);
      expect(place.standin.requests.length - before).toBe(calls);
      expect(ending(events)).toEqual({ results: [code], isError: true, isStopped: false, done: 1 });
      expect(errorsIn(events)).toMatchObject([{ code, retryable }]);
      expect(ending(await own.turn("SCENARIO:text next"))).toMatchObject({ isError: false });
    },
  );
}
