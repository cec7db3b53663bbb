import type { Frame } from "../../dialect.ts";

interface Line {
  readonly type: string;
  readonly subtype?: string;
  readonly uuid?: string;
  readonly session_id?: string;
  readonly request_id?: string;
  readonly parent_tool_use_id?: string | null;
  readonly message?: {
    readonly id?: string;
    readonly content: readonly {
      readonly type: string;
      readonly id?: string;
      readonly tool_use_id?: string;
    }[];
  };
  readonly api_message_id?: string;
  readonly event?: {
    readonly type: string;
    readonly index?: number;
    readonly message?: { readonly id: string };
    readonly content_block?: { readonly type: string };
    readonly delta?: { readonly type?: string };
  };
}

const deltaOf: Readonly<Record<string, string>> = {
  text: "text_delta",
  thinking: "thinking_delta",
  tool_use: "input_json_delta",
};

/** What a strict client of this wire would complain about in a session that it read from its beginning. */
export function lineFaults(frames: readonly Frame[]): string[] {
  const faults: string[] = [];
  const begun = new Set<string>();
  const open = new Map<string, string>();
  const used = new Set<string>();
  const answered = new Set<string>();
  const asked = new Set<string>();
  const uuids = new Map<string, string>();
  for (const { name, data } of frames) {
    const line = JSON.parse(data) as Line;
    const { type, uuid, event } = line;
    if (name !== type) faults.push(`a frame named ${name} holds ${type}`);
    if (data.includes("\n")) faults.push(`${type} is more than one line`);
    if (type === "control_request") asked.add(line.request_id ?? "");
    else if (type === "control_cancel_request") {
      if (!asked.has(line.request_id ?? "")) faults.push(`cancelled unasked ${line.request_id}`);
    } else if (uuid === undefined || line.session_id === undefined) {
      faults.push(`${type} without ids`);
    } else if (uuids.has(uuid) && uuids.get(uuid) !== data && type !== "assistant") {
      faults.push(`${type} has the uuid of another line`);
    } else uuids.set(uuid, data);
    const [block] = line.message?.content ?? [];
    if (type === "assistant" && line.message?.content.length !== 1) faults.push("not one block");
    if (block?.type === "tool_use") used.add(block.id ?? "");
    if (block?.type === "tool_result") {
      const id = block.tool_use_id ?? "";
      if (!used.has(id)) faults.push(`a result without its tool use: ${id}`);
      if (answered.has(id)) faults.push(`two results of ${id}`);
      answered.add(id);
    }
    if (!event) continue;
    const speaker = `${line.parent_tool_use_id ?? ""}/${line.api_message_id}`;
    const stream = `${speaker}/${event.index}`;
    if (event.type === "message_start") begun.add(speaker);
    else if (!begun.has(speaker)) faults.push(`${event.type} before message_start of ${speaker}`);
    if (event.type === "content_block_start") open.set(stream, event.content_block?.type ?? "");
    if (event.type === "content_block_delta") {
      const wanted = deltaOf[open.get(stream) ?? ""];
      if (event.delta?.type !== wanted) faults.push(`${event.delta?.type} in ${open.get(stream)}`);
    }
    if (event.type === "content_block_stop" && !open.delete(stream)) {
      faults.push(`stop of ${stream}, which is not open`);
    }
  }
  return faults;
}
