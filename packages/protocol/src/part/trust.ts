import * as z from "zod";

export const TrustStatus = z
  .enum(["trusted", "untrusted", "changed", "none"])
  .describe(
    "`trusted`: what the directory configures is in force; `untrusted`: none of it is; `changed`: it was trusted, but what can run commands is different now, so none of it is; `none`: there is nothing to trust.",
  );
export type TrustStatus = z.infer<typeof TrustStatus>;

export const TrustFinding = z
  .object({
    kind: z
      .enum([
        "instructions",
        "settings",
        "hook",
        "mcp_server",
        "agent",
        "skill",
        "command",
        "rule",
        "policy",
      ])
      .describe("What it is."),
    path: z.string().describe("The file, relative to the directory; `../` leads to a parent's."),
    name: z
      .string()
      .optional()
      .describe("Its name: of the agent, skill, command or MCP server, or the event of a hook."),
    detail: z
      .string()
      .optional()
      .describe("What would run, or what is wrong with the file; a long text is cut."),
    runtimes: z.array(z.string()).describe("The runtimes that read it."),
    can_execute: z
      .boolean()
      .describe(
        "Whether it can run commands or permit them. The digest covers these files, not the others.",
      ),
  })
  .meta({ id: "TrustFinding" });
export type TrustFinding = z.infer<typeof TrustFinding>;

/** The configuration that a directory has for the agents that work there, and whether it applies. */
export const TrustInfo = z.object({
  path: z.string().describe("The directory's real path."),
  status: TrustStatus,
  digest: z
    .string()
    .describe("Of everything found that can run commands. `PUT /trust` takes it back."),
  findings: z.array(TrustFinding).describe("What was found, at most 500 entries."),
  is_truncated: z.boolean().describe("Whether there is more than `findings` lists."),
  problem: z
    .string()
    .optional()
    .describe("Why the directory cannot be trusted, such as a file that cannot be read."),
  not_covered: z
    .array(z.string())
    .describe(
      "What would run or be read although no digest covers it, one sentence each: it may change without ending the trust. At most 50.",
    ),
  trusted_path: z
    .string()
    .optional()
    .describe("The directory that was trusted: this one, or one above it."),
  trusted_at: z.iso.datetime().optional().describe("When it was trusted."),
});
export type TrustInfo = z.infer<typeof TrustInfo>;

const path = z.string().min(1).max(4096).describe("An absolute path.");

export const TrustQuery = z.object({ path });
export type TrustQuery = z.infer<typeof TrustQuery>;

/** The body of `PUT /trust`. */
export const TrustInput = z.object({
  path,
  digest: z.string().min(1).max(200).describe("The digest that was shown with the findings."),
});
export type TrustInput = z.infer<typeof TrustInput>;

/** The directories that were trusted. */
export const TrustList = z.object({
  directories: z.array(
    z.object({
      path: z.string().describe("The directory's real path."),
      trusted_at: z.iso.datetime().describe("When it was trusted."),
    }),
  ),
});
export type TrustList = z.infer<typeof TrustList>;

const names = z.array(z.string());

/** The configuration that an agent takes from files, in addition to the session's own. Lists have at most 200 entries. */
export const SessionConfiguration = z
  .object({
    trust: TrustStatus.describe("Whether the working directory is trusted."),
    user_settings: z
      .boolean()
      .describe("Whether the settings of the person who runs the server apply."),
    instructions: names.describe("Files with instructions, such as `CLAUDE.md`."),
    agents: names.describe("Sub-agents by name."),
    skills: names.describe("Skills by name."),
    commands: names.describe("Slash commands by name."),
    mcp_servers: names.describe("MCP servers by name."),
    hooks: names.describe("Hooks by the event that they run at."),
  })
  .meta({ id: "SessionConfiguration" });
export type SessionConfiguration = z.infer<typeof SessionConfiguration>;
