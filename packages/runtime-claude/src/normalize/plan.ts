import { draft, type JsonValue, PlanStep } from "@turnwire/protocol";
import * as z from "zod";
import type { ClaudeState, OpenTool, Step } from "./state.ts";

const Todo = z.object({ content: z.string(), status: PlanStep.shape.status });

/** What the tools that keep a list of steps answer, by tool. */
const results = {
  TodoWrite: z.object({ newTodos: z.array(Todo) }),
  TaskCreate: z.object({ task: z.object({ id: z.string(), subject: z.string() }) }),
  TaskUpdate: z.object({
    taskId: z.string(),
    statusChange: z.object({ to: z.string() }).optional(),
  }),
  TaskList: z.object({
    tasks: z.array(
      z.object({ id: z.string(), subject: z.string(), status: PlanStep.shape.status }),
    ),
  }),
};

type Plan = ClaudeState["plan"];

/** The plan as it stands after a tool that keeps it has answered. */
export function planFromResult(
  state: ClaudeState,
  tool: OpenTool,
  details: JsonValue | undefined,
): Step {
  const plan = nextPlan(state.plan, tool.name, details);
  if (!plan || tool.speaker !== undefined) return [state, []];
  return [{ ...state, plan }, [draft("plan", { steps: [...plan.values()] })]];
}

function nextPlan(plan: Plan, tool: string, details: unknown): Plan | undefined {
  switch (tool) {
    case "TodoWrite": {
      const { data } = results.TodoWrite.safeParse(details);
      return (
        data &&
        new Map(
          data.newTodos.map(({ content, status }, index) => [
            String(index),
            { text: content, status },
          ]),
        )
      );
    }
    case "TaskCreate": {
      const { data } = results.TaskCreate.safeParse(details);
      return (
        data && new Map(plan).set(data.task.id, { text: data.task.subject, status: "pending" })
      );
    }
    case "TaskUpdate": {
      const { data } = results.TaskUpdate.safeParse(details);
      return data?.statusChange && withStatus(plan, data.taskId, data.statusChange.to);
    }
    case "TaskList": {
      const { data } = results.TaskList.safeParse(details);
      return (
        data &&
        new Map(data.tasks.map(({ id, subject, status }) => [id, { text: subject, status }]))
      );
    }
    default:
      return undefined;
  }
}

function withStatus(plan: Plan, id: string, to: string): Plan | undefined {
  const step = plan.get(id);
  const next = new Map(plan);
  if (!step) return undefined;
  if (to === "deleted") {
    next.delete(id);
    return next;
  }
  const status = PlanStep.shape.status.safeParse(to);
  return status.success ? next.set(id, { ...step, status: status.data }) : undefined;
}
