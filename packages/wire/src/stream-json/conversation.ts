import type { ContentBlock, SessionEventOf, SessionState } from "@turnwire/protocol";
import type { Frame } from "../dialect.ts";
import { frameOf, modelOf } from "./line.ts";

/** The CLI prints one at the beginning of each turn. Which tools an agent has is not in the log. */
export function initFrame(state: SessionState, turnId: string): Frame {
  const { cwd = "", permission_mode = "default", capabilities } = state.session;
  return frameOf(state, `init/${turnId}`, {
    type: "system",
    subtype: "init",
    cwd,
    model: modelOf(state),
    permissionMode: permission_mode,
    tools: [],
    mcp_servers: Object.entries(state.mcp).map(([name, status]) => ({ name, status })),
    slash_commands: capabilities.slash_commands.map(({ name }) => name),
    agents: [],
    skills: [],
    plugins: [],
    apiKeySource: "none",
    output_style: "default",
  });
}

/** A person's message, in the form in which the CLI replays its input. */
export function promptFrame(
  state: SessionState,
  {
    message_id,
    content,
  }: {
    readonly message_id: string;
    readonly content: readonly ContentBlock[];
  },
): Frame {
  return frameOf(state, `message/${message_id}`, {
    type: "user",
    message: { role: "user", content: content.map(readable) },
    parent_tool_use_id: null,
    isReplay: true,
  });
}

/** The Messages API takes plain text as it is; only other documents are base64 there. */
function readable(block: ContentBlock): object {
  if (block.type !== "document" || block.source.media_type !== "text/plain") return block;
  const { media_type, data } = block.source;
  const text = Buffer.from(data, "base64").toString("utf8");
  return { ...block, source: { type: "text", media_type, data: text } };
}

export function statusFrame(
  state: SessionState,
  { seq, data }: SessionEventOf<"session_updated">,
): Frame {
  const { permission_mode: permissionMode } = data;
  const line = { type: "system", subtype: "status", status: null, permissionMode };
  return frameOf(state, `event/${seq}`, line);
}

/** The agent shortened what it remembers. */
export function compactFrame(
  state: SessionState,
  { seq, data }: SessionEventOf<"compacted">,
): Frame {
  const { tokens_before: pre_tokens = 0, tokens_after: post_tokens } = data;
  return frameOf(state, `event/${seq}`, {
    type: "system",
    subtype: "compact_boundary",
    compact_metadata: {
      trigger: "manual",
      pre_tokens,
      ...(post_tokens !== undefined && { post_tokens }),
    },
  });
}
