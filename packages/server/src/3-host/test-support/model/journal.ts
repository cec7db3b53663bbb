import type { AgentRequestType } from "./request-draft.ts";

export interface HandedOver {
  readonly sessionId: string;
  readonly turnId: string;
  readonly messageId: string;
  readonly text: string;
}

export interface AskedRequest {
  readonly id: string;
  readonly sessionId: string;
  readonly type: AgentRequestType;
}

/** What all agents of a history saw and said, whichever server process they belonged to. */
export class Journal {
  readonly sent: HandedOver[] = [];
  readonly steered: HandedOver[] = [];
  readonly requests: AskedRequest[] = [];
  /** The ids of requests whose answer reached an agent, once per answer. */
  readonly answered: string[] = [];
  /** Words that an agent spoke and that its log must keep, by session. */
  readonly spoken: { readonly sessionId: string; readonly text: string }[] = [];
  #words = 0;

  /** A text that nothing else in this history has. */
  word(kind: string): string {
    this.#words += 1;
    return `${kind}-${this.#words}`;
  }
}
