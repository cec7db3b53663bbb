import type { SessionEvent } from "@turnwire/protocol";

/** What a session is doing, as its events say. They may come from several readers: each counts once. */
export class Progress {
  seq = 0;
  /** The turn that runs. */
  openTurn: string | undefined;
  readonly #requests = new Set<string>();
  readonly #waiting = new Set<string>();
  readonly #ends = new Map<string, "started" | "ended">();
  readonly #clientIds = new Map<string, string>();
  readonly #turnMessages = new Map<string, string>();
  readonly #listeners = new Set<() => void>();

  /** Requests that have no answer. */
  get openRequests(): readonly string[] {
    return [...this.#requests];
  }

  /** Nothing runs, waits or is asked. */
  get isQuiet(): boolean {
    return this.openTurn === undefined && this.#requests.size === 0 && this.#waiting.size === 0;
  }

  /** Whether the turn of a message is over, or the message was taken back. */
  isDone(clientMessageId: string): boolean {
    const messageId = this.#clientIds.get(clientMessageId);
    return messageId !== undefined && this.#ends.get(messageId) === "ended";
  }

  add(event: SessionEvent): void {
    if (event.seq !== this.seq + 1) return;
    this.seq = event.seq;
    this.#take(event);
    for (const listener of this.#listeners) listener();
  }

  /** Resolves when the condition holds after an event, or with the signal. */
  async waitFor(condition: () => boolean, signal?: AbortSignal): Promise<void> {
    if (condition() || signal?.aborted) return;
    await new Promise<void>((resolve) => {
      const stop = (): void => {
        this.#listeners.delete(look);
        signal?.removeEventListener("abort", stop);
        resolve();
      };
      const look = (): void => {
        if (condition()) stop();
      };
      this.#listeners.add(look);
      signal?.addEventListener("abort", stop);
    });
  }

  #take(event: SessionEvent): void {
    switch (event.type) {
      case "user_message": {
        const { message_id, client_message_id } = event.data;
        if (client_message_id !== undefined) this.#clientIds.set(client_message_id, message_id);
        this.#waiting.add(message_id);
        return;
      }
      case "message_cancelled":
        this.#waiting.delete(event.data.message_id);
        this.#ends.set(event.data.message_id, "ended");
        return;
      case "turn_started": {
        const { turn_id, message_id } = event.data;
        this.openTurn = turn_id;
        if (message_id === undefined) return;
        this.#waiting.delete(message_id);
        this.#turnMessages.set(turn_id, message_id);
        this.#ends.set(message_id, "started");
        return;
      }
      case "done": {
        this.openTurn = undefined;
        const messageId = this.#turnMessages.get(event.data.turn_id);
        if (messageId !== undefined) this.#ends.set(messageId, "ended");
        return;
      }
      case "permission_request":
        this.#requests.add(event.data.correlation_id);
        return;
      case "permission_resolved":
        this.#requests.delete(event.data.correlation_id);
        return;
      default:
    }
  }
}
