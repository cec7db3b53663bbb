import { createHash } from "node:crypto";
import type { CommandOf } from "@turnwire/protocol";
import { detach } from "@turnwire/base";
import type { Store, StoredInput } from "@turnwire/log";

export type MessageCommand = CommandOf<"user_message"> | CommandOf<"steer">;

/** A command that its sender may repeat by an id of its own. */
export type IdentifiedCommand =
  | MessageCommand
  | CommandOf<"state_patch">
  | CommandOf<"component_callback">;

/** The id under which a repeated command has no further effect. */
export function inputIdOf(command: IdentifiedCommand): string | undefined {
  switch (command.type) {
    case "state_patch":
      return command.client_patch_id;
    case "component_callback":
      return command.client_callback_id;
    case "user_message":
    case "steer":
      return command.client_message_id;
  }
}

/** How many of the newest inputs are answered for without asking the store. */
const remembered = 256;

/** An input that came before; it counts only if `committed` resolves. */
export interface KnownInput extends StoredInput {
  readonly committed: Promise<void>;
}

/** Knows which client message ids a session has taken, including those on their way into the store. */
export class InputLedger {
  readonly #store: Store;
  readonly #sessionId: string;
  readonly #recent = new Map<string, KnownInput>();

  constructor(store: Store, sessionId: string) {
    this.#store = store;
    this.#sessionId = sessionId;
  }

  async find(clientMessageId: string): Promise<KnownInput | undefined> {
    const recent = this.#recent.get(clientMessageId);
    if (recent) return recent;
    const stored = await this.#store.findInput(this.#sessionId, clientMessageId);
    return stored && { ...stored, committed: Promise.resolve() };
  }

  /** An input whose commit fails was never taken, and is forgotten. */
  remember(input: StoredInput, committed: Promise<void>): void {
    const { clientMessageId } = input;
    this.#recent.set(clientMessageId, { ...input, committed });
    detach(committed, () => this.#recent.delete(clientMessageId));
    if (this.#recent.size <= remembered) return;
    for (const oldest of this.#recent.keys()) {
      this.#recent.delete(oldest);
      return;
    }
  }
}

/** The same words give the same digest; a retry must repeat them. */
export function digestOf(command: IdentifiedCommand): string {
  return createHash("sha256").update(wordsOf(command)).digest("base64url");
}

function wordsOf(command: IdentifiedCommand): string {
  if (command.type === "state_patch") {
    return JSON.stringify([command.type, command.patches, command.base_version ?? null]);
  }
  if (command.type === "component_callback") {
    const { type, component_id, action, payload } = command;
    return JSON.stringify([type, component_id, action, payload]);
  }
  const delivery = command.type === "steer" ? "steer" : command.delivery;
  const isUnattended = command.type === "user_message" && command.is_unattended === true;
  const review = command.type === "user_message" ? command.review : undefined;
  // What was sent before there were unattended turns and reviews has the digest it had.
  return JSON.stringify([
    command.content,
    delivery ?? null,
    command.context ?? null,
    ...(isUnattended ? [true] : []),
    ...(review ? [review] : []),
  ]);
}
