import { openRequests, requestId, type SessionState } from "@turnwire/protocol";
import { type Answering, startAnswering } from "./answering.ts";

/** Knows which open request a person is asked now, and how far the answer has come: the oldest first. */
export class RequestDesk {
  #current: Answering | undefined;
  /** Answers that are on their way: their requests are still open, but not asked again. */
  readonly #sent = new Set<string>();

  update(state: SessionState): Answering | undefined {
    const open = openRequests(state);
    const ids = new Set(open.map(requestId));
    for (const id of this.#sent) if (!ids.has(id)) this.#sent.delete(id);
    const next = open.find((request) => !this.#sent.has(requestId(request)));
    if (!next) this.#current = undefined;
    else if (!this.#current || requestId(this.#current.request) !== requestId(next)) {
      this.#current = startAnswering(next, state.session.capabilities.edit_tool_input);
    }
    return this.#current;
  }

  /** The answer has several parts, and one of them is there. */
  continueWith(answering: Answering): void {
    this.#current = answering;
  }

  markSent({ request }: Answering): void {
    this.#sent.add(requestId(request));
  }

  /** The answer did not arrive: the request is asked again. */
  unmark({ request }: Answering): void {
    this.#sent.delete(requestId(request));
  }
}
