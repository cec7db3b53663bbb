import { describe } from "vitest";
import { useCodexPlace } from "../test-support/codex-place.ts";
import { testModelFailures } from "../test-support/model-failure.ts";

describe("when the model fails", () => {
  testModelFailures(useCodexPlace(), [
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
    {
      scenario: "error 503 server_is_overloaded",
      calls: 2,
      code: "server_overloaded",
      retryable: true,
    },
    { scenario: "failed invalid_prompt", calls: 1, code: "other", retryable: false },
    { scenario: "failed nobody_knows_this", calls: 2, code: "other", retryable: false },
    { scenario: "incomplete", calls: 1, code: "other", retryable: false },
    { scenario: "broken", calls: 2, code: "other", retryable: false },
  ]);
});
