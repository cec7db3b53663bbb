import { checkGrammar, type SessionEvent } from "@turnwire/protocol";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { SessionHost } from "../../2-session/session-host.ts";
import { AgentSession, ending } from "../test-support/agent-session.ts";
import { useCodexPlace } from "./test-support/codex-place.ts";

const place = useCodexPlace();
let host: SessionHost;
let shared: AgentSession;

beforeAll(async () => {
  host = place.openHost();
  shared = await AgentSession.create(host);
});

afterAll(async () => {
  const violations = checkGrammar(await shared.events());
  await host.close();
  if (violations.length > 0) throw new Error(JSON.stringify(violations));
});

function errorsIn(events: readonly SessionEvent[]) {
  return events.flatMap((event) => (event.type === "error" ? [event.data] : []));
}

/** The home allows one retry of a request and one of a stream; 5xx are tried in both ways. */
describe("when the model fails", () => {
  test.each([
    { scenario: "error 400", calls: 1, code: "other", retryable: false },
    { scenario: "error 401", calls: 2, code: "http_connection_failed", retryable: false },
    { scenario: "error 403", calls: 2, code: "http_connection_failed", retryable: false },
    { scenario: "error 404", calls: 2, code: "http_connection_failed", retryable: false },
    // Codex takes a 429 for the end of its patience, unless the answer says when to come back.
    { scenario: "error 429", calls: 1, code: "response_too_many_failed_attempts", retryable: true },
    {
      scenario: "error 429 rate_limit_exceeded",
      calls: 1,
      code: "response_too_many_failed_attempts",
      retryable: true,
    },
    {
      scenario: "error 429 rate_limit_exceeded 1",
      calls: 2,
      code: "response_too_many_failed_attempts",
      retryable: true,
    },
    {
      scenario: "error 429 insufficient_quota",
      calls: 1,
      code: "usage_limit_exceeded",
      retryable: false,
    },
    {
      scenario: "error 429 usage_limit_reached",
      calls: 1,
      code: "usage_limit_exceeded",
      retryable: false,
    },
    { scenario: "error 500", calls: 4, code: "internal_server_error", retryable: true },
    {
      scenario: "error 503 server_is_overloaded",
      calls: 2,
      code: "server_overloaded",
      retryable: true,
    },
    { scenario: "failed invalid_prompt", calls: 1, code: "other", retryable: false },
    {
      scenario: "failed context_length_exceeded",
      calls: 1,
      code: "context_window_exceeded",
      retryable: false,
    },
    {
      scenario: "failed rate_limit_exceeded",
      calls: 2,
      code: "rate_limit_exceeded",
      retryable: true,
    },
    { scenario: "failed nobody_knows_this", calls: 2, code: "other", retryable: false },
    { scenario: "incomplete", calls: 1, code: "other", retryable: false },
    { scenario: "cut", calls: 2, code: "other", retryable: false },
    { scenario: "broken", calls: 2, code: "other", retryable: false },
  ])(
    "with $scenario the turn says so after $calls calls, and the next is answered",
    async ({ scenario, calls, code, retryable }) => {
      const before = place.standin.requests.length;
      const events = await shared.turn(`SCENARIO:${scenario}`);
      expect(place.standin.requests.length - before).toBe(calls);
      expect(ending(events)).toEqual({ results: [code], isError: true, isStopped: false, done: 1 });
      expect(errorsIn(events)).toMatchObject([{ code, retryable }]);
      expect(ending(await shared.turn("SCENARIO:text next"))).toMatchObject({ isError: false });
    },
  );

  test("with silence it is asked once more, and then the turn names the silence", async () => {
    const config = { "model_providers.standin.stream_idle_timeout_ms": 500 };
    const impatient = place.openHost({ config });
    onTestFinished(() => impatient.close());
    const own = await AgentSession.create(impatient);
    const before = place.standin.requests.length;
    const events = await own.turn("SCENARIO:hold in-silence");
    expect(place.standin.requests.length - before).toBe(2);
    expect(errorsIn(events)).toMatchObject([
      { code: "other", message: expect.stringContaining("idle timeout") },
    ]);
  });

  test("it is said before the model is asked again", async () => {
    const events = await shared.turn("SCENARIO:broken");
    const notices = events.flatMap((event) => (event.type === "notice" ? [event.data.text] : []));
    expect(notices).toEqual([expect.stringContaining("Retry 1 of 1")]);
  });
});
