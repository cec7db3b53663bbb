import * as z from "zod";
import { JsonObject } from "../json/json.ts";

export const CommandContainment = z
  .enum(["none", "without_network", "with_network"])
  .describe(
    "How a command runs once it is allowed. `without_network` and `with_network`: where the kernel holds it to the policy mode; `none`: like any other program, as a person allowed it or as the closed list of plain commands does.",
  );
export type CommandContainment = z.infer<typeof CommandContainment>;

const basis = {
  rule: z.string().describe("The id of the rule that decided."),
  reason: z.string().describe("Why, in words for people and for the model."),
  mode: z.string().describe("The policy mode that was in force."),
  policy_version: z.string().describe("Identifies the policy; changes with any change of it."),
  suggested_rule: JsonObject.optional().describe(
    "A rule of one's own that would allow this from now on, as `POST /policy/rules` takes it.",
  ),
  containment: CommandContainment.optional(),
};

/** Why a person is asked, where a policy says so. */
export const RequestPolicy = z
  .object(basis)
  .meta({ id: "RequestPolicy" })
  .describe("Why the policy asks a person.");
export type RequestPolicy = z.infer<typeof RequestPolicy>;

/** The decision of the policy about a use of a tool. */
export const ToolPolicy = z
  .object({
    verdict: z
      .enum(["allow", "ask", "deny"])
      .describe("`allow`: it runs; `ask`: a person decides; `deny`: it is refused."),
    ...basis,
    subject: z.string().optional().describe("The part of the call that decided, for people."),
    is_unattended: z
      .literal(true)
      .optional()
      .describe("Present where the policy would ask, but no one is there: so it is denied."),
  })
  .meta({ id: "ToolPolicy" })
  .describe("What the policy decided.");
export type ToolPolicy = z.infer<typeof ToolPolicy>;

export const policyEventData = {
  policy_decision: z
    .object({
      tool_use_id: z.string().optional().describe("The tool use that it is about."),
      tool: z.string().describe("The tool's name."),
      ...ToolPolicy.shape,
    })
    .describe(
      "The session's policy decided about a use of a tool, before it ran. May come before its `tool_start`.",
    ),
};
