import { createHash } from "node:crypto";
import type { CommandOf } from "@turnwire/protocol";
import type { Store, StoredInput } from "./store.ts";

type Said = CommandOf<"user_message"> | CommandOf<"steer">;

/** How many of the newest inputs are answered for without asking the store. */
const remembered = 256;

/** Knows which client message ids a session has taken, including those on their way into the store. */
export class InputLedger {
  readonly #store: Store;
  readonly #sessionId: string;
  readonly #recent = new Map<string, StoredInput>();

  constructor(store: Store, sessionId: string) {
    this.#store = store;
    this.#sessionId = sessionId;
  }

  async find(clientMessageId: string): Promise<StoredInput | undefined> {
    return (
      this.#recent.get(clientMessageId) ?? this.#store.findInput(this.#sessionId, clientMessageId)
    );
  }

  remember(input: StoredInput): void {
    this.#recent.set(input.clientMessageId, input);
    if (this.#recent.size <= remembered) return;
    for (const oldest of this.#recent.keys()) {
      this.#recent.delete(oldest);
      return;
    }
  }
}

/** The same words give the same digest; a retry must repeat them. */
export function digestOf(said: Said): string {
  const delivery = said.type === "steer" ? "steer" : said.delivery;
  const words = JSON.stringify([said.content, delivery ?? null, said.context ?? null]);
  return createHash("sha256").update(words).digest("base64url");
}
