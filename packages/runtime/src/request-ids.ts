import { randomUUID } from "node:crypto";

/**
 * The ids of a run's requests: that of the tool use a request is about, so that clients can join
 * the two. An agent may ask twice about one tool use, and models may use an id again: a later
 * request has a number behind the id.
 */
export class RequestIds {
  readonly #isUsed: (id: string) => boolean;
  readonly #taken = new Set<string>();

  /** `isUsed` returns whether the session has had a request with that id. */
  constructor(isUsed: (id: string) => boolean = () => false) {
    this.#isUsed = isUsed;
  }

  /** An id that no request of the session has. */
  take(toolUseId: string | undefined): string {
    const id = toolUseId ? this.#free(toolUseId) : randomUUID();
    this.#taken.add(id);
    return id;
  }

  #free(toolUseId: string): string {
    let id = toolUseId;
    for (let count = 2; this.#taken.has(id) || this.#isUsed(id); count += 1) {
      id = `${toolUseId}-${count}`;
    }
    return id;
  }
}

/** Whether a request with this id is about the tool use. */
export function isRequestAbout(id: string, toolUseId: string): boolean {
  return id === toolUseId || (id.startsWith(`${toolUseId}-`) && /-\d+$/.test(id));
}
