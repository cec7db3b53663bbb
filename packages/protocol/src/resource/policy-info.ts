import * as z from "zod";
import { PolicyRule } from "./policy-rule.ts";
import { SessionId } from "./session.ts";

/** Where a part of the policy comes from. */
export const PolicyLevel = z
  .enum(["built_in", "user", "project"])
  .describe(
    "`built_in`: it comes with the server; `user`: from the server's own files; `project`: from a file of the project.",
  );
export type PolicyLevel = z.infer<typeof PolicyLevel>;

export const PolicyModeInfo = z
  .object({
    name: z.string().describe("What `policy_mode` of a session says."),
    description: z.string().describe("What it is for, for people."),
    is_built_in: z.boolean().describe("Whether every server has it."),
    is_unrestricted: z
      .boolean()
      .describe("Whether it allows everything that no single rule of it names; show it as a risk."),
    level: PolicyLevel.describe("The last that defined or changed it."),
    max_turns: z
      .int()
      .optional()
      .describe("How many turns an agent may take by itself; without it, any number."),
    problem: z
      .string()
      .optional()
      .describe("Why it cannot be chosen now, such as a file that cannot be read."),
  })
  .meta({ id: "PolicyModeInfo" });
export type PolicyModeInfo = z.infer<typeof PolicyModeInfo>;

export const PolicyFileInfo = z
  .object({
    path: z.string().describe("Where the file is."),
    level: PolicyLevel.describe("Whose it is."),
    status: z
      .enum(["loaded", "broken", "untrusted"])
      .describe(
        "`loaded`: it is in force; `broken`: it has problems; `untrusted`: it is a project's, and that is not trusted as it is now.",
      ),
    problems: z.array(z.string()).optional().describe("What is wrong, one sentence each."),
    has_earlier: z
      .boolean()
      .optional()
      .describe("Whether what the file said before, while it was in order, is still in force."),
  })
  .meta({ id: "PolicyFileInfo" });
export type PolicyFileInfo = z.infer<typeof PolicyFileInfo>;

/** The query of `GET /policy`. */
export const PolicyQuery = z.object({
  session: SessionId.optional().describe("A session: the policy where it works."),
  path: z.string().min(1).max(4096).optional().describe("A directory: the policy there."),
});
export type PolicyQuery = z.infer<typeof PolicyQuery>;

/** The policy in force: its modes, the files it comes from, and a person's own rules. */
export const PolicyInfo = z.object({
  version: z.string().describe("Identifies the policy; changes with any change of it."),
  modes: z.array(PolicyModeInfo).describe("The modes that a session can have."),
  default_mode: z
    .string()
    .optional()
    .describe("The mode of new sessions that choose none; absent: they have no policy."),
  files: z.array(PolicyFileInfo).describe("The files that were found; for admins."),
  rules: z.array(PolicyRule).describe("The rules of one's own, newest first; for admins."),
  can_edit: z.boolean().describe("Whether who asked may add, change and remove rules."),
});
export type PolicyInfo = z.infer<typeof PolicyInfo>;
