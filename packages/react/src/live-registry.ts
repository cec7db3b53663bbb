import {
  catalogEntryOf,
  createRegistry,
  offerComponent,
  offering,
  type ComponentOffer,
  type ComponentProps,
  type OfferState,
} from "@turnwire/client/binding";
import { useEffect, useRef, useState, useSyncExternalStore, type ComponentType } from "react";
import type { Registry } from "./registry.ts";
import { useSession } from "./session-provider.tsx";
import { useTurnwire } from "./turnwire-provider.tsx";

/** The components that an agent may show now. */
export function useRegistry(): Registry {
  const { registry } = useTurnwire();
  return useSyncExternalStore(registry.subscribe, registry.getRegistry, registry.getRegistry);
}

/**
 * Lets the agent of this session show a component, while mounted, and tells it so by the session's catalog.
 * The answer says whether the catalog has taken it. Another `component` or `parse` is used at once.
 */
export function useComponent<Props>(
  offer: ComponentOffer<ComponentType<ComponentProps<Props>>, Props>,
): OfferState {
  const { registry } = useTurnwire();
  const session = useSession();
  const [state, setState] = useState<OfferState>(offering);
  const { component, parse, name } = offer;
  const surfaces = offer.surfaces.join(" ");
  const newest = useRef(offer);
  useEffect(() => {
    newest.current = offer;
  });
  useEffect(() => {
    const entry = { component, surfaces: newest.current.surfaces, ...(parse && { parse }) };
    // It is a component of React, and gets only props that its own `parse` has made.
    return registry.add(createRegistry<unknown>({ [name]: entry }) as Registry);
  }, [registry, name, component, parse, surfaces]);
  const entryText = JSON.stringify(catalogEntryOf(offer));
  useEffect(() => {
    setState(offering);
    return offerComponent(session, catalogEntryOf(newest.current), setState);
  }, [session, entryText]);
  return state;
}
