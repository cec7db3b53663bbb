import type { SessionView } from "@turnwire/client";
import { useCallback, useEffect, useMemo, useRef, useSyncExternalStore } from "react";
import { useSessionSource } from "./session-provider.tsx";

/** A part of the session's view; renders again only when that part has become another one. */
export function useSessionSelector<Value>(
  selector: (view: SessionView) => Value,
  isEqual: (left: Value, right: Value) => boolean = Object.is,
): Value {
  const { session, serverView } = useSessionSource();
  const shown = useRef<{ readonly value: Value } | null>(null);
  const subscribe = useCallback((listener: () => void) => session.subscribe(listener), [session]);
  const source = useMemo(() => {
    const select = stableSelector(selector, isEqual, () => shown.current);
    return { getValue: () => select(session.getState()), getServerValue: () => select(serverView) };
  }, [session, serverView, selector, isEqual]);
  const value = useSyncExternalStore(subscribe, source.getValue, source.getServerValue);
  useEffect(() => {
    shown.current = { value };
  }, [value]);
  return value;
}

/** Selects once per view, and gives the earlier value back where the new one equals it. */
function stableSelector<Value>(
  selector: (view: SessionView) => Value,
  isEqual: (left: Value, right: Value) => boolean,
  getShown: () => { readonly value: Value } | null,
): (view: SessionView) => Value {
  let last: { readonly view: SessionView; readonly value: Value } | undefined;
  return (view) => {
    if (last?.view === view) return last.value;
    const next = selector(view);
    const earlier = last ?? getShown();
    const value = earlier && isEqual(earlier.value, next) ? earlier.value : next;
    last = { view, value };
    return value;
  };
}
