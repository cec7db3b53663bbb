import { ClientError } from "@turnwire/client";
import { wireError } from "@turnwire/protocol";
import { expect, test } from "vitest";
import { startProblem } from "./start-problem.ts";

test.each([
  ["runtime_unavailable", "agent"],
  ["cwd_not_allowed", "project"],
  ["invalid_request", "message"],
] as const)("%s is shown at the %s", (code, place) => {
  const error = new ClientError("wire", "POST /sessions was refused", {
    error: wireError(code, "The reason."),
  });
  expect(startProblem(error)).toEqual({ place, text: "The reason." });
});
