import type { CommandOf, SessionEvent } from "@turnwire/protocol";

/** More than a person does between two messages; the newest count. */
const most = 100;

/**
 * What people did between two turns in components whose callbacks start none. An agent that lives hears it at once
 * and keeps it for its next turn; one that starts later, also in another process, hears it then.
 */
export class WaitingCallbacks {
  #isTurnRunning: boolean;
  #callbacks: readonly CommandOf<"component_callback">[] = [];

  constructor(isTurnRunning: boolean) {
    this.#isTurnRunning = isTurnRunning;
  }

  /** Oldest first. */
  get all(): readonly CommandOf<"component_callback">[] {
    return this.#callbacks;
  }

  /** Follows the log. */
  observe(event: SessionEvent): void {
    if (event.type === "turn_started") this.#isTurnRunning = true;
    if (event.type === "done") {
      this.#isTurnRunning = false;
      this.#callbacks = [];
    }
    if (event.type !== "component_callback" || this.#isTurnRunning) return;
    const { component_id, action, payload, message_id } = event.data;
    if (message_id !== undefined) return;
    const callback = { type: event.type, component_id, action, payload };
    this.#callbacks = [...this.#callbacks, callback].slice(-most);
  }
}
