import type { EventData, SessionEventOf, SessionState } from "@turnwire/protocol";
import type { Frame } from "../dialect.ts";
import { frameOf } from "./line.ts";

/** A background task begins, and later ends; what changes in between has no message here. */
export function taskFrames(before: SessionState, { data }: SessionEventOf<"task">): Frame[] {
  const known = before.tasks[data.task_id];
  if (data.status !== "running") {
    const isOver = known !== undefined && known.status !== "running";
    return isOver ? [] : [taskEnd(before, { ...known, ...data })];
  }
  return known ? [] : [taskStart(before, data)];
}

/** The tasks that a reader who joins late has to know of. */
export function openTaskFrames(state: SessionState): Frame[] {
  return Object.values(state.tasks).flatMap((task) =>
    task.status === "running" ? [taskStart(state, task)] : [],
  );
}

function taskStart(state: SessionState, task: EventData<"task">): Frame {
  const { task_id, tool_use_id, description = "" } = task;
  const line = { type: "system", subtype: "task_started", task_id, tool_use_id, description };
  return frameOf(state, `task/${task_id}`, line);
}

function taskEnd(state: SessionState, task: EventData<"task">): Frame {
  const { task_id, tool_use_id, status, description = "", summary = description } = task;
  return frameOf(state, `task/${task_id}/end`, {
    type: "system",
    subtype: "task_notification",
    task_id,
    tool_use_id,
    status,
    summary,
    output_file: "",
  });
}
