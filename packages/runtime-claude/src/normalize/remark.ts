import { draft, type EventDraft } from "@turnwire/protocol";
import type { ClaudeMessageOf } from "./message.ts";
import { speakerOf } from "./request.ts";
import { type ClaudeState, placeOf } from "./state.ts";

type Remark = ClaudeMessageOf<
  | "turnwire/notice"
  | "system/api_retry"
  | "system/compact_boundary"
  | "system/model_refusal_fallback"
  | "system/informational"
  | "system/notification"
  | "system/mirror_error"
  | "system/local_command_output"
  | "system/permission_denied"
  | "system/hook_response"
  | "conversation_reset"
  | "tool_progress"
  | "keep_alive"
  | "system/thinking_tokens"
  | "system/hook_started"
  | "system/hook_progress"
  | "system/background_tasks_changed"
  | "system/ui_invalidate"
  | "system/model_refusal_no_fallback"
>;

/** What people should know of a message that changes nothing that is remembered. */
export function remarksOn(state: ClaudeState, message: Remark): readonly EventDraft[] {
  switch (message.type) {
    case "system/api_retry":
      return [retryNotice(message)];
    case "system/compact_boundary":
      return [compaction(message)];
    case "system/model_refusal_fallback":
      return [notice("warning", message.content)];
    case "system/informational":
      return [notice(message.level === "warning" ? "warning" : "info", message.content)];
    case "turnwire/notice":
      return [draft("notice", { level: "info", text: message.text }, { turn_id: message.turn_id })];
    case "system/notification":
      return [notice("info", message.text)];
    case "system/mirror_error":
      return [mirrorNotice(message)];
    case "system/local_command_output":
      return [notice("info", message.content)];
    case "system/permission_denied":
      return [denialNotice(state, message)];
    case "system/hook_response":
      return hookNotices(message);
    case "conversation_reset":
      return [notice("info", "The conversation was cleared: the agent remembers nothing of it.")];
    case "tool_progress":
      return subagentRetryNotices(state, message);
    case "keep_alive":
    case "system/thinking_tokens":
    case "system/hook_started":
    case "system/hook_progress":
    case "system/background_tasks_changed":
    case "system/ui_invalidate":
    case "system/model_refusal_no_fallback":
      return [];
  }
}

const commandOutput = /^<local-command-std(out|err)>(.*)<\/local-command-std(?:out|err)>$/s;

/** What a slash command printed, where the CLI repeats it as a user message. */
export function commandNotices(content: string): readonly EventDraft[] {
  const [, stream, printed = ""] = commandOutput.exec(content) ?? [];
  const text = printed.trim();
  // A compaction has an event of its own.
  return text === "" || text === "Compacted"
    ? []
    : [notice(stream === "err" ? "warning" : "info", text)];
}

/** The model did not answer and is asked again. */
function retryNotice(message: ClaudeMessageOf<"system/api_retry">): EventDraft {
  const { attempt, max_retries, retry_delay_ms, error_status, error = "unknown" } = message;
  const status = typeof error_status === "number" ? `status ${error_status}` : "no connection";
  const cause = error === "unknown" ? status : `${status}, ${error}`;
  const seconds = (retry_delay_ms / 1000).toFixed(1);
  return retried(
    `The model did not answer (${cause}). Retry ${attempt} of ${max_retries} in ${seconds} s.`,
  );
}

function subagentRetryNotices(
  state: ClaudeState,
  { subagent_retry: retry, tool_use_id: id }: ClaudeMessageOf<"tool_progress">,
): readonly EventDraft[] {
  if (!retry) return [];
  const { attempt, max_retries, error_category: cause = "no answer" } = retry;
  const text = `The model did not answer (${cause}). Retry ${attempt} of ${max_retries}.`;
  return [retried(text, state.spawned.has(id) ? id : undefined)];
}

function compaction(message: ClaudeMessageOf<"system/compact_boundary">): EventDraft {
  const { pre_tokens, post_tokens } = message.compact_metadata;
  return draft("compacted", {
    ...(pre_tokens !== undefined && { tokens_before: pre_tokens }),
    ...(post_tokens !== undefined && { tokens_after: post_tokens }),
  });
}

/** Lines of the transcript are not in the store: they are tried again with the next ones. */
function mirrorNotice({ error }: ClaudeMessageOf<"system/mirror_error">): EventDraft {
  const text = `The agent's record of this conversation could not be stored (${error}). Until it is, other hosts cannot continue from here.`;
  return draft("notice", { level: "warning", text, notice_id: "transcript" }, {});
}

function denialNotice(
  state: ClaudeState,
  { tool_name, decision_reason, message, agent_id }: ClaudeMessageOf<"system/permission_denied">,
): EventDraft {
  // After its first sentence the message instructs the model how to continue.
  const [cause = ""] = (decision_reason ?? message).split(/(?<=\.)\s/);
  return notice("warning", `${tool_name} was not allowed: ${cause}`, speakerOf(state, agent_id));
}

/** A hook is worth a word when it failed or said something. */
function hookNotices(message: ClaudeMessageOf<"system/hook_response">): readonly EventDraft[] {
  const { hook_name, outcome, output = "", stderr = "", exit_code } = message;
  const said = (stderr || output).trim();
  if (outcome === "error") {
    const code = exit_code === undefined ? "" : ` with code ${exit_code}`;
    return [notice("warning", `Hook ${hook_name} failed${code}${said && `: ${said}`}`)];
  }
  return said === "" ? [] : [notice("info", `Hook ${hook_name}: ${said}`)];
}

/** One line that counts. */
function retried(text: string, speaker?: string): EventDraft {
  return draft("notice", { level: "warning", text, notice_id: "retry" }, placeOf(speaker));
}

function notice(level: "info" | "warning", text: string, speaker?: string): EventDraft {
  return draft("notice", { level, text }, placeOf(speaker));
}
