import { accepted, type Result, type SystemPrompt, type Principal } from "@turnwire/protocol";
import type { Store } from "@turnwire/log";
import { refuseOptions } from "./decide/session-option.ts";
import type { LoadedSession } from "./session-settings.ts";

/** Stores a session's instructions; its agent has them from its next start on. */
export async function storeInstructions(
  { lease, runtime, setSystemPrompt }: LoadedSession,
  prompt: SystemPrompt,
  { store, principal }: { readonly store: Store; readonly principal: Principal },
): Promise<Result<void>> {
  const wish = { system_prompt: prompt };
  const refusal = refuseOptions(wish, runtime.capabilities, principal.isAdmin);
  if (refusal) return refusal;
  const { sessionId } = lease.record;
  const patch = { systemPrompt: prompt };
  await store.append({ sessionId, generation: lease.generation, events: [], patch });
  setSystemPrompt(prompt);
  return accepted(undefined);
}
