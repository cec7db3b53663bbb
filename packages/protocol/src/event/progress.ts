import * as z from "zod";
import { JsonValue } from "../json.ts";
import { Usage } from "./turn.ts";

export const PlanStep = z.object({
  text: z.string(),
  status: z.enum(["pending", "in_progress", "completed"]),
});
export type PlanStep = z.infer<typeof PlanStep>;

export const progressEventData = {
  plan: z.object({ steps: z.array(PlanStep), explanation: z.string().optional() }),
  diff: z.object({ unified: z.string() }),
  /** Totals of the session so far, as the runtime counts them: each figure replaces the one before. */
  usage: Usage.extend({ total_cost_usd: z.number().optional() }),
  task: z.object({
    task_id: z.string(),
    status: z.enum(["running", "completed", "failed", "stopped"]),
    description: z.string().optional(),
    tool_use_id: z.string().optional(),
    summary: z.string().optional(),
    usage: Usage.optional(),
  }),
  mcp_status: z.object({ server_name: z.string(), status: z.string() }),
  notice: z.object({ level: z.enum(["info", "warning", "error"]), text: z.string() }),
  error: z.object({ code: z.string(), message: z.string(), retryable: z.boolean() }),
  native: z.object({ source: z.string(), payload: JsonValue }),
};
