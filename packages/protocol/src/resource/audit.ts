import * as z from "zod";
import { JsonObject } from "../json/json.ts";

/** An act that an admin may want to know of later. */
export const AuditEntry = z
  .object({
    seq: z.int().positive().describe("Its place, from 1 without a gap."),
    at: z.iso.datetime().describe("When it happened."),
    action: z
      .string()
      .describe("What was done: a command's type, or a request's method and route."),
    outcome: z.string().describe("`accepted`, or the code or status of the refusal."),
    principal: z.string().optional().describe("Who did it; absent for an unknown one."),
    address: z.string().optional().describe("The client's address, where it is known."),
    session_id: z.string().optional().describe("The session that it is about."),
    details: JsonObject.describe(
      "What was chosen or allowed; never words of a conversation or secrets.",
    ),
    previous: z.string().describe("The hash of the entry before; empty for the first."),
    hash: z.string().describe("SHA-256 of the entry without this field, as it is written."),
  })
  .meta({ id: "AuditEntry" });
export type AuditEntry = z.infer<typeof AuditEntry>;

/** The answer of `GET /audit`. */
export const AuditPage = z.object({
  entries: z.array(AuditEntry).describe("In order."),
  has_more: z.boolean().describe("Whether there are later ones."),
  problem: z
    .string()
    .optional()
    .describe("What is wrong with the log: a line that was removed or changed."),
});
export type AuditPage = z.infer<typeof AuditPage>;
