import type { UiPort } from "../ui-port.ts";
import { KnownCatalog } from "./catalog-memory.ts";
import { catalogText } from "./catalog-text.ts";

/** A longer shared state is not written out: the agent only learns that it changed. */
const maxStateText = 2000;

/**
 * What of the UI an agent does not know yet: a model reads the descriptions of its tools once, when it starts, and
 * the shared state only when it asks for it. So it learns of changes with the next message.
 */
export class UiNews {
  readonly ui: UiPort;
  readonly #known: KnownCatalog;
  #stateVersion = 0;
  readonly #notes: string[] = [];

  constructor(ui: UiPort, known = new KnownCatalog()) {
    this.ui = ui;
    this.#known = known;
  }

  /** The agent is given the catalog as it is now with its tools. */
  markCatalogSent(): void {
    this.#known.addFromTools(this.ui.catalog());
  }

  /** A part of the conversation is gone: what the agent may have learned in it counts as unknown. */
  forgetConversation(): void {
    this.#known.forgetConversation();
    this.#stateVersion = 0;
  }

  /** The agent has read the shared state, or has changed it itself. */
  markStateSeen({ version, from }: { version: number; from?: number }): void {
    if (from === undefined || from === this.#stateVersion) this.#stateVersion = version;
  }

  /** To be said to the agent with the next message. */
  add(note: string): void {
    this.#notes.push(note);
  }

  /** What to say to the agent before the next message; it counts as known from then on. */
  take(): string[] {
    return [...this.#takeCatalog(), ...this.#takeState(), ...this.#notes.splice(0)];
  }

  #takeCatalog(): string[] {
    const added = this.ui.catalog().filter((entry) => !this.#known.has(entry));
    if (added.length === 0) return [];
    this.#known.addFromConversation(added);
    return [`The user interface can show these components too:\n${catalogText(added)}`];
  }

  #takeState(): string[] {
    const { value, version } = this.ui.state();
    if (version === this.#stateVersion) return [];
    this.#stateVersion = version;
    const text = JSON.stringify(value);
    return [
      text.length <= maxStateText
        ? `The state that you share with the user interface has changed (version ${version}): ${text}`
        : `The state that you share with the user interface has changed (version ${version}). Read it with read_state.`,
    ];
  }
}
