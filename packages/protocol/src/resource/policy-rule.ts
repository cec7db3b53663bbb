import * as z from "zod";
import { JsonValue } from "../json/json.ts";

const words = z.string().min(1).max(4096);

const scope = {
  mode: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .describe("The policy mode it is for; without it, every mode."),
  project: z
    .string()
    .min(1)
    .max(4096)
    .optional()
    .describe("A directory: it is for sessions that work in it. Without it, for all sessions."),
  verdict: z.literal("allow").default("allow").describe("What it says."),
  note: z.string().min(1).max(500).optional().describe("Why it is there, in a person's words."),
};

const argv = {
  kind: z.literal("argv"),
  argv: z
    .array(z.union([words, z.array(words).min(1).max(100)]))
    .min(1)
    .max(100)
    .describe(
      "The first words of a command after the shell has parsed it and wrappers are removed; a list matches any of its words.",
    ),
  is_exact: z
    .boolean()
    .optional()
    .describe("Whether the command must have these words and no more; false by default."),
};
const tool = {
  kind: z.literal("tool"),
  tool: z
    .string()
    .min(1)
    .max(200)
    .describe("The name of a tool as the runtime has it; `*` is any part of a name."),
};
const path = {
  kind: z.literal("path"),
  path: words.describe(
    "A real path, absolute or in the home directory by `~/`; with a slash at its end, a directory with everything below.",
  ),
  access: z.enum(["read", "write"]).describe("What may be done with it."),
};
const host = {
  kind: z.literal("host"),
  host: z
    .string()
    .min(1)
    .max(300)
    .describe("The name of a host; `*.example.com` includes all below it."),
};

const stored = {
  id: z.string().describe("Names the rule in decisions."),
  created_at: z.iso.datetime().describe("When it was added."),
  created_by: z.string().optional().describe("Who added it."),
  updated_at: z.iso.datetime().optional().describe("When it was changed last."),
};

/** The body of `POST /policy/rules`: what a person wants to allow from now on. */
export const PolicyRuleInput = z
  .discriminatedUnion("kind", [
    z.strictObject({ ...argv, ...scope }).describe("Commands by their words."),
    z.strictObject({ ...tool, ...scope }).describe("Tools by name."),
    z.strictObject({ ...path, ...scope }).describe("Files by path."),
    z.strictObject({ ...host, ...scope }).describe("Network targets by host."),
  ])
  .describe("A rule of one's own. It allows what would be asked, never what is denied.");
export type PolicyRuleInput = z.infer<typeof PolicyRuleInput>;

/** A rule as a caller may write it. */
export type WrittenPolicyRule = z.input<typeof PolicyRuleInput>;

/** A rule of one's own, as it is stored. */
export const PolicyRule = z
  .discriminatedUnion("kind", [
    z.object({ ...stored, ...argv, ...scope }).describe("Commands by their words."),
    z.object({ ...stored, ...tool, ...scope }).describe("Tools by name."),
    z.object({ ...stored, ...path, ...scope }).describe("Files by path."),
    z.object({ ...stored, ...host, ...scope }).describe("Network targets by host."),
  ])
  .meta({ id: "PolicyRule" })
  .describe("A rule of one's own. It allows what would be asked, never what is denied.");
export type PolicyRule = z.infer<typeof PolicyRule>;

/** The body of `PATCH /policy/rules/{id}`: fields that change; null removes one. */
export const PolicyRuleChange = z
  .record(z.string(), JsonValue)
  .describe("Fields of the rule that change; `null` removes one. The result must be a rule.");
export type PolicyRuleChange = z.infer<typeof PolicyRuleChange>;
