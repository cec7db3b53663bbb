import { z } from "zod";
import { ActionKind } from "./action.ts";
import { Verdict } from "./verdict.ts";

const RuleId = z
  .string()
  .regex(/^[a-z0-9][a-z0-9._-]{0,99}$/, "use lower-case letters, digits, dots and dashes")
  .describe("Names the rule in verdicts; unique in its mode.");
const Reason = z.string().min(1).max(500).describe("Why, in words for the person who reads it.");

export const ArgvRule = z
  .strictObject({
    id: RuleId,
    argv: z
      .array(z.union([z.string(), z.array(z.string()).min(1)]))
      .min(1)
      .describe(
        "The first words of a command after the shell has parsed it and wrappers are removed; a list matches any of its words.",
      ),
    is_exact: z
      .boolean()
      .optional()
      .describe("Whether the command must have these words and no more; false by default."),
    verdict: Verdict,
    reason: Reason,
    match: z
      .array(z.string())
      .default([])
      .describe("Commands that the rule must fit; checked when the policy is loaded."),
    not_match: z
      .array(z.string())
      .default([])
      .describe("Commands that the rule must not fit; checked when the policy is loaded."),
  })
  .describe(
    "A rule on the words of a command. `deny` and `ask` apply wherever the command is found in a script. `allow` answers for a command that would be asked about, never for one that is denied, and not for the paths, variables and redirections around it.",
  );
export type ArgvRule = z.infer<typeof ArgvRule>;

export const PathRule = z
  .strictObject({
    id: RuleId,
    paths: z
      .array(z.string().min(1))
      .min(1)
      .describe(
        "`/etc/` and `~/.ssh/` are where they say; `.git/` and `.env` are names at any depth; a final slash includes everything below; `*` is any part of a name. Case does not matter.",
      ),
    except: z.array(z.string().min(1)).default([]).describe("Names that the rule does not fit."),
    access: z.enum(["read", "write"]),
    verdict: Verdict,
    reason: Reason,
  })
  .describe("A rule on real paths.");
export type PathRule = z.infer<typeof PathRule>;

export const ToolRule = z
  .strictObject({
    id: RuleId,
    tools: z
      .array(z.string().min(1))
      .min(1)
      .describe("Names of tools as the runtime has them; `*` is any part of a name."),
    verdict: Verdict,
    reason: Reason,
  })
  .describe("A rule on tools by name; the strictest that fits wins.");
export type ToolRule = z.infer<typeof ToolRule>;

const Scope = z.strictObject({
  inside: Verdict.describe("Inside the roots."),
  outside: Verdict.describe("Outside the roots, or where it is not known before it runs."),
});

const NetworkScope = z.strictObject({
  local: Verdict.describe("This machine: localhost and loopback addresses."),
  hosts: z
    .array(z.string().min(1))
    .default([])
    .describe("Hosts that are allowed; `*.example.com` includes all below it."),
  other: Verdict,
});

const fields = {
  description: z.string().min(1).max(500),
  max_turns: z
    .int()
    .min(1)
    .max(10_000)
    .optional()
    .describe("How many turns an agent may take by itself; without it, any number."),
  read: Scope.describe("Files that are read."),
  write: Scope.describe("Files that are created, changed or deleted."),
  network: NetworkScope,
  actions: z
    .partialRecord(ActionKind, Verdict)
    .describe("What else a command may do, by kind; what is missing is asked."),
  other_tools: Verdict.describe("Tools that no rule names."),
  tools: z.array(ToolRule),
  argv: z.array(ArgvRule),
  paths: z.array(PathRule),
};

/** A mode with everything filled in. */
export const Mode = z.strictObject(fields);
export type Mode = z.infer<typeof Mode>;

/** A mode as it is written: what is missing comes from the mode it extends; rules are added to that mode's. */
export const WrittenMode = z
  .strictObject({
    extends: z.string().describe("The mode this one starts from.").default("planner"),
    ...z.strictObject(fields).partial().shape,
    read: Scope.partial().optional(),
    write: Scope.partial().optional(),
    network: NetworkScope.partial().optional(),
  })
  .describe("A custom mode, or changes to a built-in one.");
export type WrittenMode = z.infer<typeof WrittenMode>;

const ModeName = z
  .string()
  .regex(/^[a-z][a-z0-9_-]{0,63}$/, "a mode's name has lower-case letters, digits, - and _");

export const PolicyFile = z.strictObject({
  $schema: z.string().optional().describe("For editors."),
  version: z.literal(1).describe("The version of the format."),
  modes: z.record(ModeName, WrittenMode).describe("Modes by name."),
});
export type PolicyFile = z.infer<typeof PolicyFile>;
