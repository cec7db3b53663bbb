import { describe, expect, onTestFinished, test } from "vitest";
import { AgentSession } from "../../../runtime/src/test-support/agent-session.ts";
import { useCodexPlace } from "../test-support/codex-place.ts";
import { errorsIn, testModelFailures } from "../test-support/model-failure.ts";

const place = useCodexPlace();

describe("when the model fails", () => {
  testModelFailures(place, [
    { scenario: "error 400", calls: 1, code: "other", retryable: false },
    { scenario: "error 401", calls: 2, code: "http_connection_failed", retryable: false },
    { scenario: "error 500", calls: 4, code: "internal_server_error", retryable: true },
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
    { scenario: "cut", calls: 2, code: "other", retryable: false },
  ]);

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
    const host = place.openHost();
    onTestFinished(() => host.close());
    const own = await AgentSession.create(host);
    const events = await own.turn("SCENARIO:broken");
    const notices = events.flatMap((event) => (event.type === "notice" ? [event.data.text] : []));
    expect(notices).toEqual([expect.stringContaining("Retry 1 of 1")]);
  });
});
