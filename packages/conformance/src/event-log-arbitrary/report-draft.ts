import { draft, type EventDraft } from "@turnwire/protocol";
import { configurationWith } from "./configuration.ts";
import type { Wish } from "./wish.ts";

/** The turn and sub-agent that an event belongs to. */
export type Place = { turn_id?: string; subagent_id?: string };

/** Events that may come at any time, whatever came before. */
export const reportDrafts = {
  state_snapshot: ({ text, pick }) => draft("state_snapshot", { state: { text, list: [pick] } }),
  state_delta: ({ text, flag }) => {
    const path = flag ? "/text" : "/__proto__";
    return draft("state_delta", { patches: [{ op: "add", path, value: text }] });
  },
  catalog_updated: ({ text, pick }) => {
    const entry = { name: `c${pick % 3}`, description: `${text}.`, props_schema: { title: text } };
    return draft("catalog_updated", { entries: [{ ...entry, surfaces: ["chat"] }] });
  },
  plan: ({ text }, place) => draft("plan", { steps: [{ text, status: "pending" }] }, place),
  diff: ({ text }, place) => draft("diff", { unified: text }, place),
  usage: ({ pick, flag }) =>
    draft("usage", flag ? { input_tokens: pick } : { output_tokens: pick, context_tokens: 9 }),
  task: ({ text, pick, flag }) => {
    const status = flag ? "running" : "completed";
    const task_id = ["__proto__", "task", "7"][pick % 3] ?? "task";
    return draft("task", { task_id, status, ...(flag && { description: text }) });
  },
  mcp_status: ({ text, pick }) =>
    draft("mcp_status", { server_name: pick > 5 ? "__proto__" : "files", status: text }),
  rate_limits: ({ text, pick, flag }) => {
    const status = flag ? "reached" : "allowed";
    const limit = { limit_id: text, label: text, status, used_percent: pick } as const;
    return draft("rate_limits", { limits: pick > 5 ? [] : [limit] });
  },
  context_usage: ({ text, pick }) =>
    draft("context_usage", {
      total_tokens: pick,
      max_tokens: 9,
      parts: [{ label: text, tokens: pick }],
    }),
  notice: ({ text }, place) => draft("notice", { level: "info", text }, place),
  error: ({ text, flag }, place) =>
    draft("error", { code: "turn_failed", message: text, retryable: flag }, place),
  native: ({ text }) => draft("native", { source: "demo", payload: { text } }),
  native_line: ({ text, flag }) =>
    draft("native_line", { line: text, direction: flag ? "from_agent" : "to_agent" }),
  compacted: (_wish, place) => draft("compacted", { tokens_before: 9 }, place),
  session_updated: ({ text, pick, flag }) => {
    const change = flag ? { title: text } : { model: pick > 5 ? null : text };
    const configuration = configurationWith(text);
    return draft("session_updated", {
      ...change,
      ...(pick === 3 && { configuration }),
      ...(pick % 2 === 0 && { policy_mode: flag ? text : null }),
    });
  },
} satisfies Record<string, (wish: Wish, place: Place) => EventDraft>;

export type ReportType = keyof typeof reportDrafts;

export function isReport(kind: string): kind is ReportType {
  return Object.hasOwn(reportDrafts, kind);
}
