import type { Component, SessionState, TaskState } from "@turnwire/protocol";
import type { Format } from "../terminal/format.ts";
import { safeLine } from "../terminal/safe-text.ts";
import { truncate } from "../terminal/wrap.ts";
import { componentLines, componentSummary } from "./component-view.ts";

/** What changed beside the conversation: settings, tasks, servers, shared state. One line each. */
export function sideLines(before: SessionState, after: SessionState, format: Format): string[] {
  return [
    ...settingLines(before, after),
    ...taskLines(before, after, format),
    ...serverLines(before, after, format),
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
