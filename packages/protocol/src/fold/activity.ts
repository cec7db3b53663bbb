import { activityOf } from "./control.ts";
import { firstLine } from "../state/first-line.ts";
import type { Block, SubagentBlock, ToolBlock } from "../state/block.ts";
import type { Activity, Control, Message } from "../state/state.ts";

import { messagesOfTurn } from "./place.ts";

const LABEL_LENGTH = 80;

/** Nothing runs. */
export const idle: Activity = { kind: "idle", label: "Idle" };
const thinking: Activity = { kind: "thinking", label: "Thinking" };
const writing: Activity = { kind: "writing", label: "Writing" };
const waiting: Activity = { kind: "waiting", label: "Waiting for you" };

/** The activity of the session: waiting for a person comes before running a tool, that before writing, that before thinking. */
export function activityFrom(
  control: Control,
  messages: readonly Message[],
  before: Activity,
): Activity {
  const activity = activityOf(control);
  if (activity !== "working") return activity === "waiting" ? waiting : idle;
  if (!control.turn) return thinking;
  for (const index of messagesOfTurn(messages, control.turn.turn_id)) {
    const message = messages[index];
    const label = message?.role === "agent" ? labelOfRunning(message.blocks) : undefined;
    if (label === undefined) continue;
    return before.kind === "tool" && before.label === label ? before : { kind: "tool", label };
  }
  return speechOf(messages);
}

/** The activity after events that changed no turn, request, tool or sub-agent: no search is needed. */
export function continuedActivity(
  control: Control,
  messages: readonly Message[],
  before: Activity,
): Activity {
  const isSpeech = before.kind === "writing" || before.kind === "thinking";
  return isSpeech && control.turn ? speechOf(messages) : before;
}

function speechOf(messages: readonly Message[]): Activity {
  const message = messages[messages.length - 1];
  if (message?.role !== "agent" || message.done) return thinking;
  return message.blocks[message.blocks.length - 1]?.type === "text" ? writing : thinking;
}

function labelOfRunning(blocks: readonly Block[]): string | undefined {
  for (let index = blocks.length - 1; index >= 0; index--) {
    const block = blocks[index];
    if (block?.type === "tool" && block.status === "running") return toolLabel(block);
    if (block?.type === "tool" && block.status === "preparing") {
      return firstLine(`Preparing ${block.tool}`, LABEL_LENGTH);
    }
    if (block?.type === "subagent" && block.status === "running") return subagentLabel(block);
  }
  return undefined;
}

function subagentLabel(block: SubagentBlock): string {
  return labelOfRunning(block.blocks) ?? firstLine(`Running ${block.name}`, LABEL_LENGTH);
}

function toolLabel({ tool, command, file_path, pattern }: ToolBlock): string {
  if (command !== undefined) return firstLine(`Running ${command}`, LABEL_LENGTH);
  if (file_path !== undefined) return firstLine(`Running ${tool} ${file_path}`, LABEL_LENGTH);
  return firstLine(
    pattern === undefined ? `Running ${tool}` : `Running ${tool} "${pattern}"`,
    LABEL_LENGTH,
  );
}
