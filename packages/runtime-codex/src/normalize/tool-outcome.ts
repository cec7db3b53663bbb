import type { JsonValue } from "@turnwire/protocol";
import type { ItemOf } from "../protocol/item.ts";
import type { ToolItem } from "./tool-use.ts";

/** The result of a tool use. */
export interface ToolOutcome {
  readonly output: JsonValue;
  readonly isError: boolean;
  readonly exitCode?: number | undefined;
  readonly durationMs?: number | undefined;
}

/** `refusal`: why the policy refused it, where it did. Codex reports every refusal alike. */
export function outcomeFrom(item: ToolItem, refusal: string | undefined): ToolOutcome {
  switch (item.type) {
    case "commandExecution":
      return commandOutcome(item, refusal);
    case "fileChange":
      return { output: changeReport(item, refusal), isError: item.status !== "completed" };
    case "mcpToolCall":
      return {
        output: item.error?.message ?? item.result?.content ?? "",
        isError: item.status !== "completed" || Boolean(item.error),
        durationMs: item.durationMs ?? undefined,
      };
    case "dynamicToolCall":
      return {
        output: (item.contentItems ?? []).map(({ type, text, ...rest }) =>
          type === "inputText" ? { type: "text", text: text ?? "" } : { type: type ?? "", ...rest },
        ),
        isError: item.status !== "completed" || item.success === false,
        durationMs: item.durationMs ?? undefined,
      };
    case "collabAgentToolCall":
      return { output: agentReport(item), isError: item.status !== "completed" };
    case "webSearch":
      return { output: item.results ?? "", isError: false };
    case "imageView":
      return { output: item.path, isError: false };
    case "imageGeneration":
      return {
        output: item.savedPath ?? item.failure ?? item.status,
        isError: item.failure !== undefined && item.failure !== null,
      };
    case "sleep":
      return { output: "", isError: false };
  }
}

/** The whole output stands here; deltas may lack what a command wrote at once (0.166.0). */
function commandOutcome(
  { aggregatedOutput, status, exitCode, durationMs }: ItemOf<"commandExecution">,
  refusal = "The command was declined.",
): ToolOutcome {
  return {
    output: aggregatedOutput ?? (status === "declined" ? refusal : ""),
    isError: status !== "completed",
    exitCode: exitCode ?? undefined,
    durationMs: durationMs ?? undefined,
  };
}

function changeReport(
  { status, changes }: ItemOf<"fileChange">,
  refusal = "The change was declined.",
): string {
  if (status === "declined") return refusal;
  if (status !== "completed") return "The change could not be made.";
  return changes.map(({ kind, path }) => `${kind.type} ${path}`).join("\n");
}

function agentReport({ agentsStates = {} }: ItemOf<"collabAgentToolCall">): JsonValue {
  const states = Object.entries(agentsStates);
  return states.map(([, { status, message }]) => message ?? status).join("\n");
}
