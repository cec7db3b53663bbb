import type { SessionListStore, SessionListView, TurnwireClient } from "@turnwire/client";
import { emptyList, holdSessionList, type SessionListQuery } from "@turnwire/client/binding";
import { Followed } from "./followed.ts";

/** The principal's sessions, newest update first, as reactive state; followed while something reads them. */
export class LiveSessionList {
  readonly #client: TurnwireClient;
  readonly #query: () => SessionListQuery;

  readonly #followed = $derived.by(() => this.#follow(this.#query()));
  readonly #view = $derived(this.#followed.view);

  /** loading: nothing is known yet; waiting: what is shown may be old, the client is reconnecting. */
  readonly status = $derived(this.#view.status);
  /** A session that did not change is the same object as before. */
  readonly sessions = $derived(this.#view.sessions);
  /** Older sessions wait to be loaded. */
  readonly hasMore = $derived(this.#view.hasMore);
  /** Why the connection broke, or could not be opened. */
  readonly error = $derived(this.#view.error);

  constructor(client: TurnwireClient, query: () => SessionListQuery) {
    this.#client = client;
    this.#query = query;
  }

  /** Adds the next page of older sessions; harmless when there is none. */
  async loadMore(): Promise<void> {
    await this.#followed.store?.loadMore();
  }

  /** Requests the list again, at once, also after a final failure. */
  refresh(): void {
    this.#followed.store?.refresh();
  }

  #follow(query: SessionListQuery): Followed<SessionListView, SessionListStore> {
    return new Followed({
      empty: emptyList,
      hold: () => {
        const { list, release } = holdSessionList(this.#client, query);
        return { store: list, release };
      },
    });
  }
}
