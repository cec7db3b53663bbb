import { initialState } from "@turnwire/protocol";
import { expect, test } from "vitest";
import { resultFrame } from "./result.ts";

const failed = { subtype: "error_during_execution", is_error: true };

test.each([
  ["success", false, { subtype: "success", is_error: false }],
  ["error_max_turns", true, { subtype: "error_max_turns", is_error: true }],
  ["interrupted", false, { ...failed, terminal_reason: "aborted_streaming" }],
  [
    "budget_reached",
    false,
    { subtype: "error_max_budget_usd", is_error: true, terminal_reason: "budget_reached" },
  ],
  ["usage_limit_exceeded", true, { ...failed, terminal_reason: "usage_limit_exceeded" }],
  ["compacted", false, { subtype: "success", is_error: false, terminal_reason: "compacted" }],
])("a turn that ended with %s ends in words that readers of Claude know", (...row) => {
  const [subtype, is_error, expected] = row;
  const { data } = resultFrame(initialState(), { turn_id: "t", subtype, is_error });
  const { subtype: said, is_error: isError, terminal_reason: reason } = JSON.parse(data);
  expect({ terminal_reason: reason, subtype: said, is_error: isError }).toEqual({
    terminal_reason: undefined,
    ...expected,
  });
});
