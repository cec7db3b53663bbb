import { detach, errorText, ignore } from "@turnwire/base";
import { JsonObject } from "@turnwire/protocol";
import { randomUUID } from "node:crypto";
import * as z from "zod";
import { RuntimeError } from "@turnwire/runtime";

/** What the CLI asks of us. */
export interface AgentRequest {
  readonly id: string;
  readonly body: JsonObject;
  /** Aborted when the CLI no longer waits for the answer. */
  readonly signal: AbortSignal;
}

export interface ControlPorts {
  readonly write: (line: string) => Promise<void>;
  /** A rejection is answered as an error. */
  readonly answer: (request: AgentRequest) => Promise<JsonObject>;
}

const ControlRequest = z.object({
  type: z.literal("control_request"),
  request_id: z.string(),
  request: JsonObject,
});
const ControlResponse = z.object({
  type: z.literal("control_response"),
  response: z.object({
    subtype: z.string(),
    request_id: z.string(),
    response: JsonObject.nullish(),
    error: z.string().optional(),
  }),
});
const ControlCancel = z.object({
  type: z.literal("control_cancel_request"),
  request_id: z.string(),
});
const ControlMessage = z.discriminatedUnion("type", [
  ControlRequest,
  ControlResponse,
  ControlCancel,
]);
export type ControlMessage = z.infer<typeof ControlMessage>;

/** A message of the control protocol; undefined for one of the conversation. */
export function controlMessageFrom(message: unknown): ControlMessage | undefined {
  return ControlMessage.safeParse(message).data;
}

interface Waiting {
  readonly resolve: (response: JsonObject) => void;
  readonly reject: (error: RuntimeError) => void;
}

/** The requests between us and a CLI, each way with its answer, beside the conversation. */
export class ControlChannel {
  readonly #ports: ControlPorts;
  readonly #waiting = new Map<string, Waiting>();
  readonly #asked = new Map<string, AbortController>();
  #failure: RuntimeError | undefined;

  constructor(ports: ControlPorts) {
    this.#ports = ports;
  }

  /** Asks the CLI; rejects with a RuntimeError when it refuses or is gone. */
  async request(body: { readonly subtype: string } & JsonObject): Promise<JsonObject> {
    if (this.#failure) throw this.#failure;
    const id = randomUUID();
    const answered = new Promise<JsonObject>((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
    });
    detach(answered, ignore);
    try {
      await this.#ports.write(
        JSON.stringify({ type: "control_request", request_id: id, request: body }),
      );
      return await answered;
    } finally {
      this.#waiting.delete(id);
    }
  }

  take(message: ControlMessage): void {
    switch (message.type) {
      case "control_request":
        detach(this.#answer(message.request_id, message.request), ignore);
        break;
      case "control_response":
        this.#settle(message.response);
        break;
      case "control_cancel_request":
        this.#asked.get(message.request_id)?.abort();
    }
  }

  /** Nothing more is asked or answered: the CLI is gone, or no longer ours. */
  end(error: RuntimeError): void {
    if (this.#failure) return;
    this.#failure = error;
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }

  #settle({ subtype, request_id, response, error }: ResponseBody): void {
    const waiting = this.#waiting.get(request_id);
    if (subtype === "success") waiting?.resolve(response ?? {});
    else waiting?.reject(new RuntimeError("protocol", error ?? `The CLI answered ${subtype}.`));
  }

  async #answer(id: string, body: JsonObject): Promise<void> {
    // The CLI may repeat a request that is open, as after it has dialled in again.
    if (this.#asked.has(id)) return;
    const abort = new AbortController();
    this.#asked.set(id, abort);
    const response = await this.#responseTo({ id, body, signal: abort.signal });
    this.#asked.delete(id);
    if (this.#failure || abort.signal.aborted) return;
    await this.#ports.write(
      JSON.stringify({ type: "control_response", response: { ...response, request_id: id } }),
    );
  }

  async #responseTo(request: AgentRequest): Promise<JsonObject> {
    try {
      return { subtype: "success", response: await this.#ports.answer(request) };
    } catch (error) {
      return { subtype: "error", error: errorText(error) };
    }
  }
}

type ResponseBody = z.infer<typeof ControlResponse>["response"];
