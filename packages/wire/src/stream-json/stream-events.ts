import type { SessionState } from "@turnwire/protocol";
import type { Frame } from "../dialect.ts";
import { frameOf, modelOf } from "./line.ts";
import type { Speech } from "./speech.ts";

interface StreamIdentity {
  readonly identity: string;
  readonly parentId: string | undefined;
  readonly messageId: string;
}

/** Makes the events of the Messages API for one event of the log, numbered for their ids. */
export class StreamEvents {
  readonly #state: SessionState;
  readonly #identity: string;
  readonly #parentId: string | undefined;
  readonly #messageId: string;
  #count = 0;

  constructor(state: SessionState, { identity, parentId, messageId }: StreamIdentity) {
    this.#state = state;
    this.#identity = identity;
    this.#parentId = parentId;
    this.#messageId = messageId;
  }

  messageStart(): Frame {
    const message = {
      id: this.#messageId,
      type: "message",
      role: "assistant",
      model: modelOf(this.#state),
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { input_tokens: 0, output_tokens: 0 },
    };
    return this.#frame({ type: "message_start", message });
  }

  speechStart(index: number, type: Speech["type"]): Frame {
    const content_block =
      type === "text" ? { type, text: "" } : { type, thinking: "", signature: "" };
    return this.#frame({ type: "content_block_start", index, content_block });
  }

  toolStart(index: number, { id, name }: { readonly id: string; readonly name: string }): Frame {
    const content_block = { type: "tool_use", id, name, input: {} };
    return this.#frame({ type: "content_block_start", index, content_block });
  }

  speechDelta(index: number, type: Speech["type"], text: string): Frame {
    const delta =
      type === "text" ? { type: "text_delta", text } : { type: "thinking_delta", thinking: text };
    return this.#frame({ type: "content_block_delta", index, delta });
  }

  inputDelta(index: number, partial_json: string): Frame {
    const delta = { type: "input_json_delta", partial_json };
    return this.#frame({ type: "content_block_delta", index, delta });
  }

  blockStop(index: number): Frame {
    return this.#frame({ type: "content_block_stop", index });
  }

  messageEnd(stopReason: string | null): Frame[] {
    const delta = { stop_reason: stopReason, stop_sequence: null };
    return [
      this.#frame({ type: "message_delta", delta, usage: { output_tokens: 0 } }),
      this.#frame({ type: "message_stop" }),
    ];
  }

  #frame(event: object): Frame {
    this.#count += 1;
    return frameOf(this.#state, `${this.#identity}/${this.#count}`, {
      type: "stream_event",
      event,
      parent_tool_use_id: this.#parentId ?? null,
      api_message_id: this.#messageId,
    });
  }
}
