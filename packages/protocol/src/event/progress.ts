import * as z from "zod";
import { JsonValue } from "../json/json.ts";
import { ContextUsage } from "../part/context-usage.ts";
import { RateLimit } from "../part/rate-limit.ts";
import { Usage } from "./turn.ts";

export const PlanStep = z
  .object({
    text: z.string().describe("What the step is."),
    status: z.enum(["pending", "in_progress", "completed"]).describe("How far it is."),
  })
  .meta({ id: "PlanStep" });
export type PlanStep = z.infer<typeof PlanStep>;

export const progressEventData = {
  plan: z
    .object({
      steps: z.array(PlanStep).describe("All steps, in order."),
      explanation: z.string().optional().describe("Why the plan is as it is."),
    })
    .describe("The agent's plan; replaces the earlier plan of the turn."),
  diff: z
    .object({ unified: z.string().describe("All file changes of the turn as a unified diff.") })
    .describe("What the turn changed so far; replaces the earlier diff of the turn."),
  usage: Usage.extend({
    total_cost_usd: z.number().optional().describe("The session's cost so far, in US dollars."),
    turn_tokens: z
      .number()
      .optional()
      .describe("All tokens of the running turn so far, cached ones included."),
    turn_cost_usd: z.number().optional().describe("What the running turn has cost so far."),
  }).describe("Totals of the session so far: the newest value of each field counts."),
  task: z
    .object({
      task_id: z.string().describe("The task's id."),
      status: z.enum(["running", "completed", "failed", "stopped"]).describe("How far it is."),
      description: z.string().optional().describe("What the task does."),
      tool_use_id: z.string().optional().describe("The tool use that started it."),
      summary: z.string().optional().describe("What came of it."),
      usage: Usage.optional().describe("What the task used."),
    })
    .describe("A background task started or changed. An absent field did not change."),
  mcp_status: z
    .object({
      server_name: z.string().describe("The MCP server's name."),
      status: z.string().describe("Its status, in the runtime's words."),
    })
    .describe("The status of an MCP server changed."),
  rate_limits: z
    .object({ limits: z.array(RateLimit).describe("All limits that are known.") })
    .describe("The limits of the agent's account changed; replaces the earlier ones."),
  context_usage: ContextUsage.describe(
    "What fills the agent's context, as asked for with `read_context`; replaces the earlier one.",
  ),
  notice: z
    .object({
      level: z.enum(["info", "warning", "error"]).describe("How serious it is."),
      text: z.string().describe("A sentence for people."),
      notice_id: z
        .string()
        .optional()
        .describe(
          "Replaces the notice with this id directly before it, such as a count of retries.",
        ),
    })
    .describe("Something that people should know."),
  error: z
    .object({
      code: z.string().describe("What went wrong, for programs; see “Error events”."),
      message: z.string().describe("What went wrong, for people."),
      retryable: z.boolean().describe("Whether sending the message again may help."),
    })
    .describe("The agent or the server failed."),
  native: z
    .object({
      source: z.string().describe("The runtime that sent it, or `turnwire`."),
      payload: JsonValue.describe("The message as it was."),
    })
    .describe("A message of the runtime that no other event describes. Clients may ignore it."),
  native_line: z
    .object({
      line: z.string().describe("The line as it was, without its line break."),
      direction: z.enum(["from_agent", "to_agent"]).describe("Who wrote it."),
    })
    .describe(
      "A line between the server and an agent that dialled in, before the events that it became. Clients may ignore it.",
    ),
};

/** The code of the error of a turn that is over although its agent did not report an end. */
export type LostTurnCode =
  | "turn_lost"
  | "agent_exited"
  | "agent_failed"
  | "interrupt_timeout"
  | "workspace_unavailable";
