import {
  applyJsonPatch,
  type JsonPatchOperation,
  type JsonValue,
  type SessionEvent,
} from "@turnwire/protocol";
import { ClientError, clientErrorFrom } from "../5-connection/client-error.ts";
import type { Accepted } from "../6-session/session-api.ts";
import type { Session } from "../6-session/session.ts";
import { rebasePatch } from "./rebase-patch.ts";

/**
 * A change of the shared state: operations, or a function that makes them from the state as it is.
 * Where another writer was faster the function is called again; plain operations follow the items of
 * lists that they were made for.
 */
export type SharedStateChange =
  | readonly JsonPatchOperation[]
  | ((shared: JsonValue) => readonly JsonPatchOperation[]);

/** A change of this client that the log does not have yet. */
interface Edit {
  readonly id: string;
  /** The operations for a state; undefined where they make no sense for it any more. */
  readonly patchesFor: (shared: JsonValue) => readonly JsonPatchOperation[] | undefined;
}

/** So often in a row another writer may be faster. */
const MAX_ATTEMPTS = 20;

const sharedStates = new WeakMap<Session, SharedState>();

/**
 * The shared state as this client sees it: what the log has, with its own changes that are on their
 * way. Changes are sent one after another, each for the version that it was made for, so none
 * overwrites what its author had not seen.
 */
export class SharedState {
  readonly #session: Session;
  #edits: readonly Edit[] = [];
  readonly #listeners = new Set<() => void>();
  #sent: Promise<void> = Promise.resolve();
  #shown: { readonly shared: JsonValue; readonly edits: readonly Edit[]; value: JsonValue };

  private constructor(session: Session) {
    this.#session = session;
    const { shared } = session.getState().session;
    this.#shown = { shared, edits: this.#edits, value: shared };
  }

  /** That of a session: all who change it from this client share it. */
  static of(session: Session): SharedState {
    const shared = sharedStates.get(session) ?? new SharedState(session);
    sharedStates.set(session, shared);
    return shared;
  }

  /** The same object until something changes. */
  getState(): JsonValue {
    const { shared } = this.#session.getState().session;
    const edits = this.#edits;
    if (shared !== this.#shown.shared || edits !== this.#shown.edits) {
      this.#shown = { shared, edits, value: edited(shared, edits) };
    }
    return this.#shown.value;
  }

  subscribe(listener: () => void): () => void {
    let shown = this.getState();
    const update = (): void => {
      const next = this.getState();
      if (Object.is(next, shown)) return;
      shown = next;
      listener();
    };
    this.#listeners.add(update);
    const stop = this.#session.subscribe(update);
    return () => {
      stop();
      this.#listeners.delete(update);
    };
  }

  /** Shows the change at once; rejects, and takes it back, where the server refuses it. */
  patch(change: SharedStateChange): Promise<Accepted> {
    const edit = this.#editOf(change);
    this.#edits = [...this.#edits, edit];
    this.#notify();
    const stop = this.#session.onEvents((events) => {
      // The view has the event next, and notifies of both at once.
      if (events.some((event) => isOf(edit, event))) this.#remove(edit);
    });
    const accepted = this.#sent.then(() => this.#send(edit));
    // The next change is made for a version that has this one.
    const seen = accepted.then(({ seq }) =>
      this.#session.waitFor(({ session }) => session.seq >= seq),
    );
    const end = (): void => {
      stop();
      this.#remove(edit);
      this.#notify();
    };
    this.#sent = seen.then(end, end);
    return accepted;
  }

  #editOf(change: SharedStateChange): Edit {
    const id = this.#session.platform.createId();
    if (typeof change === "function") return { id, patchesFor: change };
    const before = this.getState();
    return { id, patchesFor: (after) => rebasePatch(change, { before, after }) };
  }

  async #send(edit: Edit): Promise<Accepted> {
    for (let attempt = 1; ; attempt += 1) {
      const { seq, shared, shared_version: base_version } = this.#session.getState().session;
      const patches = edit.patchesFor(shared);
      if (!patches) throw conflict(base_version);
      if (patches.length === 0) return { accepted: true, seq };
      const change = { patches: [...patches], base_version, client_patch_id: edit.id };
      try {
        return await this.#session.execute({ type: "state_patch", ...change });
      } catch (thrown) {
        const error = clientErrorFrom(thrown);
        const version = staleVersion(error);
        if (version === undefined || attempt === MAX_ATTEMPTS) throw error;
        await this.#session.waitFor(({ session }) => session.shared_version >= version);
      }
    }
  }

  #remove(edit: Edit): void {
    if (this.#edits.includes(edit)) this.#edits = this.#edits.filter((other) => other !== edit);
  }

  #notify(): void {
    for (const listener of this.#listeners) {
      try {
        listener();
      } catch (error) {
        this.#session.platform.reportError(error);
      }
    }
  }
}

/** The state with all changes that apply; what does not apply, the server will refuse. */
function edited(shared: JsonValue, edits: readonly Edit[]): JsonValue {
  return edits.reduce((state, edit) => {
    const patches = patchesFrom(edit, state);
    const patched = patches && applyJsonPatch(state, patches);
    return patched?.ok ? patched.value : state;
  }, shared);
}

/** An error thrown by a change reaches its author when it is sent, and no reader of the state. */
function patchesFrom(edit: Edit, shared: JsonValue): ReturnType<Edit["patchesFor"]> {
  try {
    return edit.patchesFor(shared);
  } catch {
    return undefined;
  }
}

/** As the server would refuse it: what the change was made for is not there any more. */
function conflict(version: number): ClientError {
  const message = "The shared state was changed by another writer where this change belongs";
  const error = { code: "stale_state", message, retryable: false, details: { version } } as const;
  return new ClientError("wire", message, { error });
}

function isOf({ id }: Edit, { type, data }: SessionEvent): boolean {
  return type === "state_delta" && data.client_patch_id === id;
}

/** The version that the server has, where a change was made for another one. */
function staleVersion({ error }: ClientError): number | undefined {
  const version = error?.code === "stale_state" ? error.details?.["version"] : undefined;
  return typeof version === "number" ? version : undefined;
}
