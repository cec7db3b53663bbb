import * as z from "zod";
import { budgetLimits } from "./budget-use.ts";

const moreThanZero = "must be more than 0";

const limit = {
  tokens: z
    .int()
    .positive(moreThanZero)
    .max(1e12)
    .optional()
    .describe("How many tokens the model may read and write, cached ones included."),
  cost_usd: z
    .number()
    .positive(moreThanZero)
    .max(1e9)
    .optional()
    .describe("What the agent may cost, in US dollars."),
  minutes: z
    .number()
    .positive(moreThanZero)
    .max(527_040)
    .optional()
    .describe("How long the agent may work. The time in which it waits for a person is free."),
  turns: z
    .int()
    .positive(moreThanZero)
    .max(1_000_000)
    .optional()
    .describe("How many turns there may be."),
};

/** How much a session may use before its agent pauses and a person is asked. */
export const Budget = z
  .strictObject(limit)
  .refine((budget) => Object.values(budget).some((allowed) => allowed !== undefined), {
    message: "set at least one of tokens, cost_usd, minutes and turns",
  })
  .meta({ id: "Budget" })
  .describe("Limits of a session; an absent one does not limit.");
export type Budget = z.infer<typeof Budget>;

/** The name of one limit. */
export const BudgetLimit = z.enum(budgetLimits);
export type BudgetLimit = z.infer<typeof BudgetLimit>;

export const BudgetUse = z
  .object({
    tokens: z.number().describe("Tokens that the model read and wrote."),
    cost_usd: z.number().describe("What that cost, in US dollars, as far as the runtime reports."),
    worked_ms: z.number().describe("How long the agent worked, in milliseconds."),
    turns: z.int().describe("How many turns have ended."),
  })
  .meta({ id: "BudgetUse" })
  .describe("What a session has used since its budget was first set.");
export type BudgetUse = z.infer<typeof BudgetUse>;

/** A session's budget with what has been used of it. */
export const SessionBudget = z
  .object({
    allowed: Budget.describe("The limits."),
    used: BudgetUse,
    working_since: z
      .string()
      .optional()
      .describe("Since when the agent works; that time is not in `used.worked_ms` yet."),
    turn: z
      .object({
        tokens: z.number().describe("Tokens that it used so far."),
        cost_usd: z.number().describe("What it has cost so far."),
      })
      .optional()
      .describe("The running turn's part of `used`."),
    stopped_turn: z
      .object({
        turn_id: z.string().describe("The turn."),
        is_reported: z.literal(true).optional().describe("Its result says so."),
      })
      .optional()
      .describe("The turn that was stopped because a limit was reached, until the next begins."),
    is_stopped: z
      .literal(true)
      .optional()
      .describe("A person chose to stop at this budget: the next message asks again."),
  })
  .meta({ id: "SessionBudget" });
export type SessionBudget = z.infer<typeof SessionBudget>;
