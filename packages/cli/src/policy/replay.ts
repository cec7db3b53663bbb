import {
  evaluateToolCall,
  type PolicyContext,
  type ToolCall,
  type Verdict,
} from "@turnwire/policy";
import type { SessionEvent, SessionEventOf } from "@turnwire/protocol";
import type { Format } from "../terminal/format.ts";
import { safeLine } from "../terminal/safe-text.ts";
import { truncate } from "../terminal/wrap.ts";

/** What a policy would have done with one use of a tool. */
export interface ReplayedCall {
  readonly seq: number;
  readonly tool_use_id: string;
  readonly tool: string;
  /** The command, the file, or the input, for people. */
  readonly subject: string;
  readonly verdict: Verdict;
  readonly rule: string;
  readonly reason: string;
  /** What the policy that was in force then decided. */
  readonly was?: Verdict;
}

/** Judges every use of a tool in a session's events. */
export async function replayedCalls(
  events: AsyncIterable<SessionEvent>,
  context: PolicyContext,
): Promise<readonly ReplayedCall[]> {
  const decided = new Map<string, Verdict>();
  const calls: ReplayedCall[] = [];
  for await (const event of events) {
    if (event.type === "policy_decision" && event.data.tool_use_id !== undefined) {
      decided.set(event.data.tool_use_id, event.data.verdict);
    }
    if (event.type === "tool_start") calls.push(replayed(event, context));
  }
  return calls.map((call) => {
    const was = decided.get(call.tool_use_id);
    return was === undefined ? call : { ...call, was };
  });
}

function replayed(event: SessionEventOf<"tool_start">, context: PolicyContext): ReplayedCall {
  const { tool, tool_use_id } = event.data;
  const about = { seq: event.seq, tool_use_id, tool, subject: subjectOf(event.data) };
  if (event.attachments && event.attachments.length > 0) {
    const reason = "its input is too large to be in the log as a whole";
    return { ...about, verdict: "deny", rule: "limit", reason };
  }
  const { verdict, rule, reason } = evaluateToolCall(callOf(event.data), context);
  return { ...about, verdict, rule, reason };
}

type ToolStart = SessionEventOf<"tool_start">["data"];

/** The call in the words of a policy's rules, whatever the runtime calls its tools. */
function callOf({ tool, input, command, file_path, is_file_read }: ToolStart): ToolCall {
  if (command !== undefined) return { tool: "Bash", input: { command } };
  if (file_path === undefined) return { tool, input: input ?? {} };
  return { tool: is_file_read === true ? "Read" : "Edit", input: { file_path } };
}

function subjectOf({ tool, input, command, file_path }: ToolStart): string {
  return command ?? file_path ?? `${tool} ${input === undefined ? "" : JSON.stringify(input)}`;
}

export interface ReplayCounts extends Readonly<Record<Verdict, number>> {
  /** Calls about which this policy decides otherwise than the one that was in force. */
  readonly changed: number;
}

export function countsOf(calls: readonly ReplayedCall[]): ReplayCounts {
  const count = (wanted: Verdict) => calls.filter(({ verdict }) => verdict === wanted).length;
  return {
    allow: count("allow"),
    ask: count("ask"),
    deny: count("deny"),
    changed: calls.filter(({ verdict, was }) => was !== undefined && was !== verdict).length,
  };
}

/** For people: what would have been refused or asked, and the sums. */
export function replayLines(
  calls: readonly ReplayedCall[],
  mode: string,
  format: Format,
): string[] {
  const { dim, yellow, red } = format.colors;
  const { allow, ask, deny, changed } = countsOf(calls);
  const lines = calls
    .filter(({ verdict, was }) => verdict !== "allow" || (was !== undefined && was !== verdict))
    .flatMap(({ seq, verdict, rule, reason, subject, was }) => {
      const paint = { allow: (text: string) => text, ask: yellow, deny: red }[verdict];
      const before = was === undefined || was === verdict ? "" : dim(` (it was ${was})`);
      const room = Math.max(20, format.width - 20);
      return [
        `${dim(String(seq).padStart(6))} ${paint(verdict.padEnd(5))} ${truncate(safeLine(subject), room)}${before}`,
        `       ${dim(`[${rule}] ${safeLine(reason)}`)}`,
      ];
    });
  const sums = `${calls.length} uses of tools in the mode ${mode}: ${allow} allowed, ${ask} asked, ${deny} denied`;
  return [...lines, changed === 0 ? sums : `${sums}; ${changed} otherwise than it was`];
}
