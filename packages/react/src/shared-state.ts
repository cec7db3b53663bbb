import type { Accepted, SessionView } from "@turnwire/client";
import { parseWith, type Parse } from "@turnwire/client/binding";
import type { JsonPatchOperation, JsonValue } from "@turnwire/protocol";
import { useCallback, useMemo } from "react";
import { useSession } from "./session-provider.tsx";
import { useSessionSelector } from "./session-selector.ts";

/** Changes the shared state; rejects where the operations do not fit what is there. */
export type PatchSharedState = (patches: JsonPatchOperation[]) => Promise<Accepted>;

/** The document that agent and UI both write, null before there is one, and the way to change it. */
export function useSharedState(): readonly [JsonValue, PatchSharedState];
/** The same, parsed; undefined while it is not what `parse` takes. */
export function useSharedState<State>(
  parse: Parse<State>,
): readonly [State | undefined, PatchSharedState];
export function useSharedState(parse?: Parse<unknown>): readonly [unknown, PatchSharedState] {
  const session = useSession();
  const shared = useSessionSelector(sharedOf);
  const patch = useCallback<PatchSharedState>(
    (patches) => session.execute({ type: "state_patch", patches }),
    [session],
  );
  const state = useMemo(() => {
    if (!parse) return shared;
    const parsed = parseWith(parse, shared);
    return parsed.isValid ? parsed.value : undefined;
  }, [parse, shared]);
  return [state, patch];
}

function sharedOf({ session }: SessionView): JsonValue {
  return session.shared;
}
