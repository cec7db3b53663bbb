import type { Accepted } from "@turnwire/client";
import {
  parseWith,
  SharedState,
  type Parse,
  type SharedStateChange,
} from "@turnwire/client/binding";
import type { JsonValue } from "@turnwire/protocol";
import { useCallback, useMemo, useSyncExternalStore } from "react";
import { useSessionSource } from "./session-provider.tsx";

/**
 * Changes the shared state: shown at once, taken back where it is refused. Where another writer was
 * faster, a function is called again with what is there now.
 */
export type PatchSharedState = (change: SharedStateChange) => Promise<Accepted>;

/** The document that agent and UI both write, at first an empty object, and the way to change it. */
export function useSharedState(): readonly [JsonValue, PatchSharedState];
/** The same, parsed; undefined while it is not what `parse` takes. */
export function useSharedState<State>(
  parse: Parse<State>,
): readonly [State | undefined, PatchSharedState];
export function useSharedState(parse?: Parse<unknown>): readonly [unknown, PatchSharedState] {
  const { session, serverView } = useSessionSource();
  const source = useMemo(() => {
    const store = SharedState.of(session);
    return {
      subscribe: (listener: () => void) => store.subscribe(listener),
      getValue: () => store.getState(),
      patch: (change: SharedStateChange) => store.patch(change),
    };
  }, [session]);
  const getServerValue = useCallback(() => serverView.session.shared, [serverView]);
  const shared = useSyncExternalStore(source.subscribe, source.getValue, getServerValue);
  const state = useMemo(() => {
    if (!parse) return shared;
    const parsed = parseWith(parse, shared);
    return parsed.isValid ? parsed.value : undefined;
  }, [parse, shared]);
  return [state, source.patch];
}
