import type { TurnwireClient } from "@turnwire/client";
import {
  createLiveRegistry,
  type ComponentFailure,
  type ComponentPlace,
  type LiveRegistry,
} from "@turnwire/client/binding";
import { createContext, useContext, useMemo, type ComponentType, type ReactNode } from "react";
import { ComponentFallback, ComponentLoading } from "./component-fallback.tsx";
import { createRegistry, type AnyComponent, type Registry } from "./registry.ts";

interface Turnwire {
  readonly client: TurnwireClient;
  readonly registry: LiveRegistry<AnyComponent>;
  readonly fallback: ComponentType<ComponentFailure>;
  readonly loading: ComponentType<ComponentPlace>;
}

const TurnwireContext = createContext<Turnwire | null>(null);

const emptyRegistry = createRegistry({});

export interface TurnwireProviderProps {
  readonly client: TurnwireClient;
  /** The components that an agent may show. */
  readonly registry?: Registry;
  /** Stands where a component cannot be shown. */
  readonly fallback?: ComponentType<ComponentFailure>;
  /** Stands where a component is still on its way. */
  readonly loading?: ComponentType<ComponentPlace>;
  readonly children?: ReactNode;
}

/** Gives everything below it a server to talk to. */
export function TurnwireProvider({
  client,
  registry = emptyRegistry,
  fallback = ComponentFallback,
  loading = ComponentLoading,
  children,
}: TurnwireProviderProps): ReactNode {
  const live = useMemo(() => createLiveRegistry(registry), [registry]);
  const turnwire = useMemo(
    () => ({ client, registry: live, fallback, loading }),
    [client, live, fallback, loading],
  );
  return <TurnwireContext.Provider value={turnwire}>{children}</TurnwireContext.Provider>;
}

export function useTurnwire(): Turnwire {
  const turnwire = useContext(TurnwireContext);
  if (!turnwire) throw new Error("Wrap this component in <TurnwireProvider>.");
  return turnwire;
}

/** The client that the nearest `TurnwireProvider` was given. */
export function useClient(): TurnwireClient {
  return useTurnwire().client;
}
