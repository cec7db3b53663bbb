import type { StoredLog } from "./stored-log.ts";

/** Where a callback was taken twice, came from a component that was not there or has no message, or an entry was added twice. */
export function componentProblems({ record, events }: StoredLog): string[] {
  const problems: string[] = [];
  const [first] = events;
  // A copy and a trimmed log show only a part of it.
  if (record.trimmed > 0 || first?.type !== "session_ready" || first.data.forked_from) return [];
  const shown = new Set<string>();
  const actions = new Set<string>();
  const messages = new Set<string>();
  const names = new Set<string>();
  for (const event of events) {
    const { seq } = event;
    if (event.type === "component_update") shown.add(event.data.component_id);
    if (event.type === "component_remove") shown.delete(event.data.component_id);
    if (event.type === "user_message") messages.add(event.data.message_id);
    if (event.type === "catalog_updated") {
      for (const { name } of event.data.entries) {
        if (names.has(name)) problems.push(`${seq}: ${name} was added again`);
        names.add(name);
      }
    }
    if (event.type !== "component_callback") continue;
    const { component_id: id, action } = event.data;
    if (actions.has(action)) problems.push(`${seq}: the callback ${action} was taken twice`);
    if (!shown.has(id)) problems.push(`${seq}: ${action} came from ${id}, which is not shown`);
    actions.add(action);
  }
  const lost = events.filter(
    ({ type, data }) =>
      type === "component_callback" &&
      data.message_id !== undefined &&
      !messages.has(data.message_id),
  );
  return [...problems, ...lost.map(({ seq }) => `${seq}: the callback has no message`)];
}
