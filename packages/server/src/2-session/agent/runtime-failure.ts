import { errorText } from "@turnwire/base";
import { rejected } from "@turnwire/protocol";
import { RuntimeError } from "@turnwire/runtime";
import type { LostCause } from "../decide/settle.ts";

/** What ends a turn that could not be handed to an agent. */
export function lostCauseFrom(error: unknown): LostCause {
  const code = error instanceof RuntimeError ? error.code : undefined;
  const message = errorText(error);
  if (code === "conversation_missing") {
    return { code: "workspace_unavailable", message, isFinal: true };
  }
  return { code: "agent_failed", message, isFinal: code === "invalid_input" };
}

/** What a command is refused with when it needs an agent and there is none. */
export function refusalFrom(error: unknown): ReturnType<typeof rejected> {
  const code = error instanceof RuntimeError ? error.code : undefined;
  if (code === "conversation_missing") return rejected("workspace_unavailable", errorText(error));
  return rejected(code === "busy" ? "overloaded" : "runtime_unavailable", errorText(error));
}
