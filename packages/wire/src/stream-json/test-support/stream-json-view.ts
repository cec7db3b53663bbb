import type { Frame } from "../../dialect.ts";

interface WireBlock {
  readonly type: string;
  readonly text?: string;
  readonly thinking?: string;
  readonly id?: string;
  readonly tool_use_id?: string;
}

interface WireLine {
  readonly type: string;
  readonly uuid?: string;
  readonly request_id?: string;
  readonly subtype?: string;
  readonly api_message_id?: string;
  readonly parent_tool_use_id?: string | null;
  readonly message?: { readonly id?: string; readonly content: readonly WireBlock[] };
  readonly event?: {
    readonly type: string;
    readonly index?: number;
    readonly content_block?: { readonly type: string; readonly id?: string };
    readonly delta?: {
      readonly text?: string;
      readonly thinking?: string;
      readonly partial_json?: string;
    };
  };
}

/** What a client of this wire knows: what was said, by finished lines or by streams, and what is open. */
export function streamJsonView(frames: readonly Frame[]): unknown {
  const said = new Map<string, Set<string>>();
  const streams = new Map<string, string>();
  const lines = new Map<string, string>();
  const requests = new Set<string>();
  const say = (id: string, text: string): void => {
    said.set(id, (said.get(id) ?? new Set()).add(text));
  };
  for (const { data } of frames) {
    const line = JSON.parse(data) as WireLine;
    const { type, uuid = "", request_id = "", event } = line;
    const parent = line.parent_tool_use_id ?? "";
    if (type === "control_request") requests.add(request_id);
    if (type === "control_cancel_request") requests.delete(request_id);
    if (type === "result") lines.set(uuid, `result ${line.subtype}`);
    if (type === "user") lines.set(uuid, line.message?.content[0]?.tool_use_id ?? "prompt");
    if (type === "assistant") {
      const [block] = line.message?.content ?? [];
      if (block?.type === "tool_use") lines.set(uuid, `use ${block.id}`);
      else say(`${parent}/${line.message?.id}`, block?.text ?? block?.thinking ?? "");
    }
    const streamed = `${parent}/${line.api_message_id}`;
    const stream = `${streamed}/${event?.index}`;
    if (event?.content_block?.type === "tool_use") continue;
    if (event?.delta?.partial_json !== undefined) continue;
    if (event?.type === "content_block_start") {
      const earlier = streams.get(stream);
      if (earlier !== undefined) say(streamed, earlier);
      streams.set(stream, "");
    }
    if (event?.delta && event.index !== undefined) {
      const text = event.delta.text ?? event.delta.thinking ?? "";
      streams.set(stream, (streams.get(stream) ?? "") + text);
    }
  }
  for (const [stream, text] of streams) say(stream.slice(0, stream.lastIndexOf("/")), text);
  return {
    said: new Map([...said].map(([id, texts]) => [id, longest([...texts])])),
    lines,
    requests,
  };
}

/** A text that another one continues is not a text of its own. */
function longest(texts: readonly string[]): string[] {
  return texts
    .filter((text) => !texts.some((other) => other !== text && other.startsWith(text)))
    .toSorted();
}

/** The inputs of tools that have not started, as far as they are known. */
export function openInputs(frames: readonly Frame[]): ReadonlyMap<string, string> {
  const inputs = new Map<string, string>();
  const toolOf = new Map<string, string>();
  for (const { data } of frames) {
    const {
      type,
      message,
      event,
      parent_tool_use_id: parent,
      api_message_id,
    } = JSON.parse(data) as WireLine;
    const stream = `${parent}/${api_message_id}/${event?.index}`;
    const [block] = message?.content ?? [];
    if (type === "assistant" && block?.type === "tool_use") inputs.delete(block.id ?? "");
    const { content_block: started, delta } = event ?? {};
    if (started?.type === "tool_use") {
      toolOf.set(stream, started.id ?? "");
      inputs.set(started.id ?? "", "");
    }
    const id = toolOf.get(stream) ?? "";
    const input = inputs.get(id);
    if (delta?.partial_json !== undefined && input !== undefined) {
      inputs.set(id, input + delta.partial_json);
    }
  }
  return inputs;
}
