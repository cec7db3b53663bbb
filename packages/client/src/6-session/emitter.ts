import type { JsonObject, JsonPatchOperation, JsonValue, Surface } from "@turnwire/protocol";
import { clientErrorFrom } from "../5-connection/client-error.ts";
import type { SessionApi } from "./session-api.ts";

/** So often in a row another writer of the shared state may be faster. */
const MAX_ATTEMPTS = 20;

export interface EmitterOptions {
  /** A client, or what it has for sessions. */
  readonly client: { readonly sessions: EmitterApi };
  readonly sessionId: string;
}

/** A listener of an emitter. */
export type EmitterApi = Pick<
  SessionApi,
  "showComponent" | "removeComponent" | "sharedState" | "patchSharedState"
>;

export interface ShowOptions {
  /** By default the component's name: showing it again changes it. */
  readonly id?: string;
  /** By default where it is, for a new one the first surface that the session's catalog has for it. */
  readonly surface?: Surface;
}

/** A component that is shown, and how to change it. */
export interface EmittedComponent<Props> {
  readonly id: string;
  /** Merged over the earlier properties, top level only. */
  update(props: Partial<Props>): Promise<void>;
  /** Changes the properties by JSON Patch. */
  patch(...patches: JsonPatchOperation[]): Promise<void>;
  move(surface: Surface): Promise<void>;
  remove(): Promise<void>;
}

/** A change of the shared state: operations, or a function that makes them from the state as it is. */
export type StateChange<State> =
  | readonly JsonPatchOperation[]
  | ((state: State) => readonly JsonPatchOperation[]);

/**
 * Drives a session's UI from any program, beside the agent or instead of it. `Components` has the
 * properties by the component's name, `State` is the shared state. Calls reach the server in their order,
 * also where no one waits for them.
 */
export class Emitter<Components extends object, State = JsonValue> {
  readonly #api: EmitterApi;
  readonly #sessionId: string;
  #last: Promise<unknown> = Promise.resolve();

  constructor({ client, sessionId }: EmitterOptions) {
    this.#api = client.sessions;
    this.#sessionId = sessionId;
  }

  /** Shows a component with these properties and no others. */
  async show<Name extends keyof Components & string>(
    name: Name,
    props: Components[Name],
    { id = name, surface }: ShowOptions = {},
  ): Promise<EmittedComponent<Components[Name]>> {
    await this.#put(id, { name, ...(surface && { surface }), props: props as JsonObject });
    return {
      id,
      update: (changed) => this.#put(id, { props: changed as JsonObject, merge: true }),
      patch: (...patches) => this.#put(id, { patches }),
      move: (to) => this.#put(id, { surface: to, props: {}, merge: true }),
      remove: () => this.remove(id),
    };
  }

  /** Harmless when the component is gone. */
  remove(id: string): Promise<void> {
    return this.#inOrder(async () => {
      await this.#api.removeComponent(this.#sessionId, id);
    });
  }

  /** The shared state: an empty object before anything is in it. */
  state(): Promise<State> {
    return this.#inOrder(async () => (await this.#read()).state);
  }

  /** A function is called again where another writer was faster; plain operations apply to what is there. */
  patchState(change: StateChange<State>): Promise<void> {
    return this.#inOrder(async () => {
      if (typeof change === "function") await this.#edit(change);
      else await this.#api.patchSharedState(this.#sessionId, change);
    });
  }

  async #edit(change: (state: State) => readonly JsonPatchOperation[]): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      const { state, version } = await this.#read();
      const patches = [...change(state)];
      if (patches.length === 0) return;
      try {
        await this.#api.patchSharedState(this.#sessionId, { patches, base_version: version });
        return;
      } catch (thrown) {
        const error = clientErrorFrom(thrown);
        if (error.error?.code !== "stale_state" || attempt === MAX_ATTEMPTS) throw error;
      }
    }
  }

  async #read(): Promise<{ readonly state: State; readonly version: number }> {
    const { state, version } = await this.#api.sharedState(this.#sessionId);
    return { state: state as State, version };
  }

  #put(
    component_id: string,
    change: Omit<Parameters<EmitterApi["showComponent"]>[1], "component_id">,
  ): Promise<void> {
    return this.#inOrder(async () => {
      await this.#api.showComponent(this.#sessionId, { component_id, ...change });
    });
  }

  #inOrder<Result>(call: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(call);
    // The next call does not depend on how this one ended.
    this.#last = result.catch(() => undefined);
    return result;
  }
}
