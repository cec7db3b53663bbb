import type { TurnwireClient } from "@turnwire/client";
import { createLiveRegistry, type SessionListQuery } from "@turnwire/client/binding";
import { getContext, setContext } from "svelte";
import { createSubscriber } from "svelte/reactivity";
import { createRegistry, type Registry } from "./component-registry.ts";
import { LiveSessionList } from "./live-session-list.svelte.ts";
import { LiveSession, type LiveSessionOptions } from "./live-session.svelte.ts";

/** The context that `setTurnwire` provides. */
export interface Turnwire {
  readonly client: TurnwireClient;
  /** The components that an agent may show now. */
  readonly registry: Registry;
  /** Adds components, until the answer is called. */
  readonly register: (registry: Registry) => () => void;
}

/** A value, or a function that gives it: what the function reads may change. */
export type ValueOrGetter<Value> = Value | (() => Value);

const turnwireKey = Symbol("turnwire");
const sessionKey = Symbol("session");
const emptyRegistry = createRegistry({});

/** Gives every component below a server to talk to. Like all functions here it is called while a component is set up. */
export function setTurnwire(client: TurnwireClient, registry: Registry = emptyRegistry): Turnwire {
  const live = createLiveRegistry(registry);
  const subscribe = createSubscriber((update) => live.subscribe(update));
  return setContext<Turnwire>(turnwireKey, {
    client,
    get registry() {
      subscribe();
      return live.getRegistry();
    },
    register: live.add,
  });
}

/** The context of the nearest `setTurnwire` above. */
export function useTurnwire(): Turnwire {
  const turnwire = getContext<Turnwire | undefined>(turnwireKey);
  if (!turnwire) throw new Error("No setTurnwire was called above this component: call it there");
  return turnwire;
}

/** Makes a session the one that components below mean. */
export function setSession(id: ValueOrGetter<string>, options?: LiveSessionOptions): LiveSession {
  return setContext(sessionKey, useSession(id, options));
}

/** The session of the nearest `setSession` above. */
export function useSession(): LiveSession;
/** A session by its id: one connection, however many components ask for it. */
export function useSession(id: ValueOrGetter<string>, options?: LiveSessionOptions): LiveSession;
export function useSession(id?: ValueOrGetter<string>, options?: LiveSessionOptions): LiveSession {
  if (id !== undefined) return new LiveSession(useTurnwire().client, getterOf(id), options);
  const session = getContext<LiveSession | undefined>(sessionKey);
  if (!session) throw new Error("No setSession was called above this component: call it there");
  return session;
}

/** The principal's sessions, newest update first. */
export function useSessions(query: ValueOrGetter<SessionListQuery> = {}): LiveSessionList {
  return new LiveSessionList(useTurnwire().client, getterOf(query));
}

function getterOf<Value>(value: ValueOrGetter<Value>): () => Value {
  return isGetter(value) ? value : () => value;
}

function isGetter<Value>(value: ValueOrGetter<Value>): value is () => Value {
  return typeof value === "function";
}
