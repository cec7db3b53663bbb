import {
  catalogEntryOf,
  createRegistry,
  offerComponent,
  offering,
  type ComponentOffer,
  type ComponentProps,
  type OfferState,
} from "@turnwire/client/binding";
import type { Component } from "svelte";
import type { Registry } from "./component-registry.ts";
import { useSession, useTurnwire } from "./context.ts";

/**
 * Lets the agent of this session show a component, while the calling component lives, and adds it to the session's
 * catalog. `state` of the answer says whether the catalog has taken it.
 */
export function useComponent<Props>(
  offer: ComponentOffer<Component<ComponentProps<Props>>, Props>,
): { readonly state: OfferState } {
  const turnwire = useTurnwire();
  const session = useSession();
  const { name, component, surfaces, parse } = offer;
  let state = $state.raw<OfferState>(offering);
  $effect(() => {
    const entry = { component, surfaces, ...(parse && { parse }) };
    // It is a component of Svelte, and gets only props that its own `parse` has made.
    return turnwire.register(createRegistry<unknown>({ [name]: entry }) as Registry);
  });
  $effect(() => {
    const shared = session.share();
    const stop = offerComponent(shared.session, catalogEntryOf(offer), (next) => (state = next));
    return () => {
      stop();
      shared.release();
    };
  });
  return {
    get state() {
      return state;
    },
  };
}
