import { createSubscriber } from "svelte/reactivity";

interface ViewStore<View> {
  getState(): View;
  subscribe(listener: () => void): () => void;
}

/** A store that is held open, and how to let it go. */
export interface HeldStore<Store> {
  readonly store: Store;
  readonly release: () => void;
}

export interface FollowedOptions<View, Store extends ViewStore<View>> {
  readonly hold: () => HeldStore<Store>;
  /** The view while nothing is held: on a server, and before the first reader. */
  readonly empty: View;
}

/** A store's view as reactive state: held open while an effect or a template reads it, on a server never. */
export class Followed<View, Store extends ViewStore<View>> {
  readonly #empty: View;
  readonly #track: () => void;
  #store: Store | undefined;

  constructor({ hold, empty }: FollowedOptions<View, Store>) {
    this.#empty = empty;
    this.#track = createSubscriber((update) => {
      const { store, release } = hold();
      this.#store = store;
      const unsubscribe = store.subscribe(update);
      return () => {
        unsubscribe();
        this.#store = undefined;
        release();
      };
    });
  }

  get view(): View {
    this.#track();
    return this.#store?.getState() ?? this.#empty;
  }

  /** There while somebody reads. */
  get store(): Store | undefined {
    return this.#store;
  }
}
