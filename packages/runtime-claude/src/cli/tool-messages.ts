import { errorText } from "@turnwire/base";
import type { JsonObject, JsonValue } from "@turnwire/protocol";
import * as z from "zod";
import { CallTool, ListTools, type ToolServer } from "../tool/tool-server.ts";
import { toolServerName } from "../setting/tool-server-name.ts";
import { readServerVersion } from "@turnwire/runtime";

type RequestId = string | number;

const Message = z.object({
  id: z.union([z.string(), z.number()]).optional(),
  method: z.string(),
});
const Initialize = z.object({ params: z.object({ protocolVersion: z.string() }) });
const Cancelled = z.object({
  method: z.literal("notifications/cancelled"),
  params: z.object({ requestId: z.union([z.string(), z.number()]) }),
});

/** The codes of JSON-RPC. */
const invalidRequest = -32_600;
const unknownMethod = -32_601;
const invalidParams = -32_602;
const failed = -32_603;

/** What the SDK returns for a message that asks for nothing. */
const noAnswer = { jsonrpc: "2.0", id: 0, result: {} };

/** An MCP server for one CLI, whose messages come one by one in requests of the control protocol. */
export class ToolMessages {
  readonly #desk: ToolServer;
  /** The requests that are being answered: the CLI may take one back. */
  readonly #open = new Map<RequestId, AbortController>();

  constructor(desk: ToolServer) {
    this.#desk = desk;
  }

  /** The answer to a message. It never rejects: the CLI is given errors in the words of JSON-RPC. */
  async answer(source: JsonObject, signal: AbortSignal): Promise<JsonObject> {
    const { data: message } = Message.safeParse(source);
    if (!message)
      return { ...noAnswer, ...errorOf(invalidRequest, "This is not a message of MCP.") };
    const { id } = message;
    if (id === undefined) {
      this.#receive(source);
      return noAnswer;
    }
    const abort = new AbortController();
    this.#open.set(id, abort);
    const either = AbortSignal.any([signal, abort.signal]);
    const outcome = await this.#outcome(message.method, source, either).catch((error: unknown) =>
      errorOf(failed, errorText(error)),
    );
    this.#open.delete(id);
    return { jsonrpc: "2.0", id, ...outcome };
  }

  #receive(source: JsonObject): void {
    const { data: cancelled } = Cancelled.safeParse(source);
    if (cancelled) this.#open.get(cancelled.params.requestId)?.abort();
  }

  async #outcome(method: string, source: JsonObject, signal: AbortSignal): Promise<JsonObject> {
    switch (method) {
      case "initialize": {
        const { data: asked } = Initialize.safeParse(source);
        return asked ? resultOf(await introduction(asked.params.protocolVersion)) : wrong(method);
      }
      case "ping":
        return resultOf({});
      case ListTools.shape.method.value:
        return resultOf(this.#desk.list());
      case CallTool.shape.method.value: {
        const { data: call } = CallTool.safeParse(source);
        return call ? resultOf(await this.#desk.call(call, signal)) : wrong(method);
      }
      default:
        return errorOf(unknownMethod, `There is no method ${method}.`);
    }
  }
}

/** We use nothing that differs between versions of MCP, so the CLI's own will do. */
async function introduction(protocolVersion: string): Promise<JsonObject> {
  const serverInfo = { name: toolServerName, version: await readServerVersion() };
  return { protocolVersion, capabilities: { tools: {} }, serverInfo };
}

function resultOf(result: JsonValue): JsonObject {
  return { result };
}

function errorOf(code: number, message: string): JsonObject {
  return { error: { code, message } };
}

function wrong(method: string): JsonObject {
  return errorOf(invalidParams, `The parameters of ${method} are wrong.`);
}
