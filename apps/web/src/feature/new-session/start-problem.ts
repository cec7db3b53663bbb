import { ClientError } from "@turnwire/client";
import type { WireErrorCode } from "@turnwire/protocol";
import { plainError } from "../../element/plain-error.ts";

/** What kept a session from starting, and beside which field it is shown. */
export interface StartProblem {
  readonly place: "agent" | "project" | "message";
  readonly text: string;
}

const places: Partial<Record<WireErrorCode, StartProblem["place"]>> = {
  runtime_unavailable: "agent",
  runtime_unknown: "agent",
  cwd_not_allowed: "project",
  worktree_failed: "project",
  sandbox_unavailable: "agent",
};

export function startProblem(error: unknown): StartProblem {
  const code = error instanceof ClientError ? error.error?.code : undefined;
  return { place: (code && places[code]) ?? "message", text: plainError(error) };
}
