import type { JsonObject, JsonValue } from "@turnwire/protocol";
import * as z from "zod";
import type { CodexMessageOf } from "../protocol/message.ts";
import type { CodexState } from "./state.ts";

/** What a person is asked to allow. */
export interface Permission {
  readonly toolName: string;
  readonly input: JsonValue;
  readonly context: JsonObject;
  readonly toolUseId: string | undefined;
}

const ToolApproval = z.looseObject({
  codex_approval_kind: z.literal("mcp_tool_call"),
  tool_description: z.string().nullish(),
  tool_params: z.unknown().optional(),
});

/** An MCP server's wish that asks for no values: mostly, that one of its tools may run. */
export function askedPermission(
  state: CodexState,
  { params }: CodexMessageOf<"mcpServer/elicitation/request">,
): Permission {
  const { serverName, threadId, message, url } = params;
  const prefix = `mcp__${serverName}__`;
  const tool = [...state.tools].findLast(
    ([, { name, itemPlace }]) => itemPlace.threadId === threadId && name.startsWith(prefix),
  );
  const approval = ToolApproval.safeParse(params._meta);
  const { tool_params: input = {}, tool_description: description } = approval.data ?? {};
  return {
    toolName: tool?.[1].name ?? `mcp__${serverName}`,
    // It is part of a message that was parsed from JSON.
    input: input as JsonValue,
    context: {
      ...(message && { reason: message }),
      ...(description && { description }),
      ...(url && { url }),
    },
    toolUseId: tool?.[0],
  };
}
