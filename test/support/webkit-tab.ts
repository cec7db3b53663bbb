import type { DeliveredEvent, EventOf, ServerEventName, Session } from "@agent-webkit/core";
import { type AgentState, initialState, reduce } from "@agent-webkit/react";

type EventDataByName = { [Name in ServerEventName]: EventOf<Name>["data"] };

/** A browser's tab without the browser: agent-webkit's own client, and its hook's own reducer over what comes. */
export class WebkitTab {
  readonly session: Session;
  readonly events: DeliveredEvent[] = [];
  /** Resolves when the stream has ended, with the error if it was one. */
  readonly ended: Promise<unknown>;
  state: AgentState = initialState;
  #isEnded = false;
  readonly #waiting = new Set<() => void>();

  constructor(session: Session) {
    this.session = session;
    this.ended = this.#follow();
  }

  /** The names of all events so far, also of those that the library has no type for. */
  get names(): string[] {
    return this.events.map(({ event }) => event);
  }

  /** The assistant's words, as the hook shows them. */
  get text(): string {
    return this.state.messages
      .flatMap((message) => (message.kind === "assistant" ? message.content : []))
      .map((block) => (block.type === "text" ? block.text : ""))
      .join("");
  }

  /** The text that the hook shows as still being written. */
  get unfinished(): AgentState["messages"] {
    return this.state.messages.filter(
      (message) => message.kind === "assistant" && message.streaming,
    );
  }

  /** The data of all events of the name so far. */
  all<Name extends ServerEventName>(name: Name): EventDataByName[Name][] {
    return this.named(name).map((event) => event.data as EventDataByName[Name]);
  }

  /** All events of the name so far, also of one that the library has no type for. */
  named(name: string): DeliveredEvent[] {
    return this.events.filter(({ event }) => event === name);
  }

  /** The data of the first event of the name, past or future. */
  async first<Name extends ServerEventName>(name: Name): Promise<EventDataByName[Name]> {
    await this.until(() => this.named(name).length > 0);
    const [data] = this.all(name);
    if (!data) throw new Error(`there is no ${name}`);
    return data;
  }

  /** Resolves when a condition holds, looked at after every event. */
  until(condition: () => boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      const look = (): void => {
        if (condition()) resolve();
        else if (this.#isEnded) reject(new Error(`the stream ended after: ${this.names.join()}`));
        else return;
        this.#waiting.delete(look);
      };
      this.#waiting.add(look);
      look();
    });
  }

  /** Resolves when so many turns have ended. */
  turns(count: number): Promise<void> {
    return this.until(() => this.named("turn_done").length >= count);
  }

  /** Says something and resolves when its turn has ended. */
  async turn(text: string): Promise<void> {
    const before = this.named("turn_done").length;
    await this.session.send(text);
    await this.turns(before + 1);
  }

  async #follow(): Promise<unknown> {
    try {
      for await (const event of this.session.events()) {
        this.events.push(event);
        this.state = reduce(this.state, { type: "server_event", event });
        this.#look();
      }
      return undefined;
    } catch (error) {
      return error;
    } finally {
      this.#isEnded = true;
      this.#look();
    }
  }

  #look(): void {
    for (const look of this.#waiting) look();
  }
}

const CUT_BYTES = 701;
const MAX_CUTS = 6;

/** A fetch whose first streams break in the middle of a frame, each later than the one before. */
export class CuttingFetch {
  cuts = 0;

  readonly fetch: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    const isStream = response.headers.get("content-type")?.startsWith("text/event-stream");
    if (!isStream || !response.body || this.cuts >= MAX_CUTS) return response;
    return new Response(response.body.pipeThrough(this.#cut()), response);
  };

  #cut(): TransformStream<Uint8Array, Uint8Array> {
    let left = CUT_BYTES * (this.cuts + 1);
    return new TransformStream({
      transform: (chunk, controller) => {
        controller.enqueue(chunk.subarray(0, left));
        left -= chunk.length;
        if (left > 0) return;
        this.cuts += 1;
        controller.terminate();
      },
    });
  }
}
