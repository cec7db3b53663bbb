import type { Component, RateLimit, SessionState, TaskState } from "@turnwire/protocol";
import type { Format } from "../terminal/format.ts";
import { countText } from "../terminal/figure.ts";
import { safeLine } from "../terminal/safe-text.ts";
import { truncate } from "../terminal/wrap.ts";
import { componentLines, componentSummary } from "./component-view.ts";

/** What changed beside the conversation: settings, tasks, servers, shared state. One line each. */
export function sideLines(before: SessionState, after: SessionState, format: Format): string[] {
  return [
    ...settingLines(before, after),
    ...taskLines(before, after, format),
    ...serverLines(before, after, format),
    ...limitLines(before, after),
    ...(before.context === after.context ? [] : contextLines(after)),
    ...sharedLines(before, after, format),
  ].map((line) => format.colors.dim(line));
}

function settingLines(
  { session: before }: SessionState,
  { session: after }: SessionState,
): string[] {
  const names = [
    ["title", before.title, after.title],
    ["model", before.model, after.model],
    ["permission mode", before.permission_mode, after.permission_mode],
  ] as const;
  const changed = names.flatMap(([name, from, to]) =>
    from === to ? [] : [`${name}: ${safeLine(to ?? "default")}`],
  );
  const isArchived = after.status === "archived" && before.status !== "archived";
  return [
    ...changed,
    ...(isArchived ? ["archived: read-only from now on"] : []),
    ...(after.is_closed && !before.is_closed ? ["this session was deleted"] : []),
  ];
}

const taskMarks: Record<TaskState["status"], string> = {
  running: "⚙",
  completed: "✓",
  failed: "✗",
  stopped: "■",
};

function taskLines(
  { tasks: before }: SessionState,
  { tasks: after }: SessionState,
  format: Format,
) {
  return Object.values(after).flatMap((task) => {
    if (before[task.task_id]?.status === task.status) return [];
    const words = task.summary ?? task.description ?? task.task_id;
    const line = `${taskMarks[task.status]} task ${task.task_id} ${task.status}: ${words}`;
    return [truncate(safeLine(line), format.width)];
  });
}

function serverLines({ mcp: before }: SessionState, { mcp: after }: SessionState, format: Format) {
  return Object.entries(after).flatMap(([name, status]) =>
    before[name] === status ? [] : [truncate(safeLine(`mcp ${name}: ${status}`), format.width)],
  );
}

/** A limit that a person should know of. */
function limitLines({ rate_limits: before }: SessionState, { rate_limits: after }: SessionState) {
  return after.flatMap((limit) => {
    const earlier = before.find(({ limit_id }) => limit_id === limit.limit_id);
    const isNews = limit.status !== "allowed" && limit.status !== earlier?.status;
    return isNews ? [limitLine(limit)] : [];
  });
}

export function limitLine({ label, status, used_percent, resets_at }: RateLimit): string {
  const used = used_percent === undefined ? status : `${used_percent}% used`;
  const reset = resets_at === undefined ? "" : `, resets ${new Date(resets_at).toLocaleString()}`;
  return safeLine(`${label}: ${status === "reached" ? status : used}${reset}`);
}

function contextLines({ context }: SessionState): string[] {
  if (!context) return [];
  const { total_tokens, max_tokens, parts } = context;
  return [
    `context: ${countText(total_tokens)} of ${countText(max_tokens)} tokens`,
    ...parts.map(({ label, tokens }) => safeLine(`  ${countText(tokens).padStart(5)}  ${label}`)),
  ];
}

function sharedLines(
  { shared: before }: SessionState,
  { shared: after }: SessionState,
  format: Format,
) {
  if (before === after) return [];
  return [truncate(safeLine(`shared state: ${JSON.stringify(after)}`), format.width)];
}

function surfaceComponents(state: SessionState): Component[] {
  const interrupts = new Set(
    Object.values(state.requests).flatMap((request) =>
      request.type === "interrupt" ? [`interrupt-${request.data.interrupt_id}`] : [],
    ),
  );
  return Object.values(state.surfaces)
    .flat()
    .filter((component) => !interrupts.has(component.component_id));
}

/** Components outside the chat that are new or other than when they were last printed. */
export function changedSurfaces(state: SessionState, printed: ReadonlyMap<string, Component>) {
  return surfaceComponents(state).filter(
    (component) => printed.get(component.component_id) !== component,
  );
}

/** Changed components: whole when the turn is over, on one line each while it runs. */
export function surfaceLines(
  components: readonly Component[],
  format: Format,
  { isWhole }: { isWhole: boolean },
): string[] {
  if (!isWhole) return components.map((component) => componentSummary(component, format));
  return components.flatMap((component) => componentLines(component, format));
}
