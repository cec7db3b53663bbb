import * as z from "zod";
import { BudgetLimit } from "./budget.ts";
import { SessionOption } from "./session-configuration.ts";

/** A model that a session can use. Unknown fields are absent. */
export const ModelInfo = z
  .object({
    id: z.string().describe("What `set_model` takes."),
    resolved_id: z
      .string()
      .optional()
      .describe("What a session that uses it reports as its model, where that is another id."),
    label: z.string().optional().describe("The name for people."),
    description: z.string().optional().describe("What it is good at, in the agent's own words."),
    context_window: z.int().positive().optional().describe("How many tokens it can read at once."),
    price: z
      .object({
        input_per_million_usd: z
          .number()
          .nonnegative()
          .describe("US dollars per million tokens read."),
        output_per_million_usd: z
          .number()
          .nonnegative()
          .describe("US dollars per million tokens written."),
      })
      .optional()
      .describe("The list price, where the agent states it."),
    efforts: z
      .array(z.string())
      .optional()
      .describe("The effort levels of this model, lowest first; empty: it has none."),
    is_default: z.boolean().optional().describe("Whether sessions that name no model use it."),
  })
  .meta({ id: "ModelInfo" });
export type ModelInfo = z.infer<typeof ModelInfo>;

/** How to present a permission mode to a person. */
export const ModeInfo = z
  .object({
    label: z.string().describe("The name for people, such as `Ask before changes`."),
    description: z.string().describe("What the agent may do in it, in one sentence."),
    risk: z
      .enum(["none", "asks", "full"])
      .optional()
      .describe(
        "`none`: nothing is changed; `asks`: a person or a rule decides; `full`: everything is allowed.",
      ),
  })
  .meta({ id: "ModeInfo" });
export type ModeInfo = z.infer<typeof ModeInfo>;

/** The abilities of a runtime. A client shows and the server accepts only those that are true here, whatever the runtime's name. */
export const Capabilities = z
  .object({
    interrupt: z.boolean().describe("A running turn can be stopped."),
    steer: z.boolean().describe("A message can join the running turn."),
    resume: z.boolean().describe("A conversation survives the end of its agent process."),
    permissions: z.boolean().describe("The agent asks before it uses tools."),
    edit_tool_input: z
      .boolean()
      .describe("A tool may be allowed with another input than the agent asked for."),
    revoke_permissions: z
      .boolean()
      .describe(
        "What was allowed for the session can be revoked, and survives the end of the agent's process.",
      ),
    tool_policy: z
      .boolean()
      .describe("A policy mode can be chosen: it decides about every use of a tool."),
    sandbox: z
      .boolean()
      .describe(
        "The agent's commands can run in a sandbox (`sandbox` of `POST /sessions`); what that needs may still have to be installed.",
      ),
    containment: z
      .object({
        kind: z
          .enum(["kernel", "none"])
          .describe(
            "`kernel`: a command that a policy mode allows runs where the kernel holds it to the mode; `none`: it does not, so a mode allows only a closed list of plain commands.",
          ),
        problem: z
          .string()
          .optional()
          .describe("Why commands are not contained, with the next step."),
      })
      .optional()
      .describe("The second wall of policy modes; absent: there is none."),
    questions: z.boolean().describe("The agent asks questions."),
    hooks: z.boolean().describe("The agent asks for decisions of hooks."),
    thinking: z.boolean().describe("The agent's reasoning is reported."),
    images: z.boolean().describe("Messages may contain images."),
    documents: z.boolean().describe("Messages may contain documents."),
    components: z.boolean().describe("The agent shows components."),
    frontend_tools: z.boolean().describe("The agent calls tools that the UI performs."),
    shared_state: z.boolean().describe("Agent and UI share a JSON document."),
    tool_input_stream: z
      .boolean()
      .describe("A tool's input is reported while the model writes it (`tool_input_delta`)."),
    subagents: z.boolean().describe("The agent starts sub-agents."),
    set_model: z.boolean().describe("The model can be changed."),
    set_effort: z.boolean().describe("The effort can be chosen and changed."),
    set_permission_mode: z.boolean().describe("The permission mode can be changed."),
    stop_task: z.boolean().describe("Background tasks can be stopped."),
    fork: z.boolean().describe("A session can be copied."),
    rollback: z.boolean().describe("Turns can be undone."),
    rollback_files: z
      .boolean()
      .describe("A rollback can also restore the files that the undone turns changed."),
    compact: z.boolean().describe("The agent can shorten what it remembers."),
    review: z
      .boolean()
      .describe(
        "The agent reviews changes (`review` of a message), where no policy mode is in force.",
      ),
    context_usage: z.boolean().describe("What fills the agent's context can be read."),
    reconnect_mcp: z.boolean().describe("An MCP server of the agent can be connected again."),
    history: z
      .boolean()
      .describe("Conversations that the agent's own program made can be listed and imported."),
    native_lines: z
      .boolean()
      .optional()
      .describe(
        "Every line of its agent is in the log as it was, as `native_line`: the agent dialled in.",
      ),
    permission_modes: z.array(z.string()).describe("The permission modes there are."),
    admin_modes: z
      .array(z.string())
      .describe("Those of them that run tools without asking: only an admin may choose them."),
    unavailable_modes: z
      .record(z.string(), z.string())
      .optional()
      .describe("Modes that cannot be used here, each with the reason and what to do."),
    mode_info: z
      .record(z.string(), ModeInfo)
      .optional()
      .describe("How to present the permission modes, by their ids."),
    models: z.array(ModelInfo).describe("Models to choose from; others may work too."),
    efforts: z
      .array(z.string())
      .describe("Efforts to choose from, lowest first; a model may support fewer."),
    session_options: z
      .array(SessionOption)
      .optional()
      .describe(
        "The fields of `POST /sessions` that configure the agent and that this runtime supports; others are refused as `capability_missing`. Absent: none.",
      ),
    budgets: z
      .array(BudgetLimit)
      .optional()
      .describe(
        "The limits that a budget may have: what the runtime reports. Absent: `minutes` and `turns`.",
      ),
    slash_commands: z
      .array(
        z.object({
          name: z.string().describe("The command, without the slash."),
          description: z.string().optional().describe("What it does."),
        }),
      )
      .describe("Commands that a message may begin with."),
  })
  .meta({ id: "Capabilities" });
export type Capabilities = z.infer<typeof Capabilities>;

/** Why a session's commands are held to its policy mode by nothing but the policy; undefined where the kernel holds them, or no policy decides. */
export function containmentProblem(session: {
  readonly policy_mode?: string | null | undefined;
  readonly capabilities?: Capabilities | undefined;
  readonly sandbox?: object | undefined;
}): string | undefined {
  const { containment } = session.capabilities ?? {};
  if (!session.policy_mode || !containment) return undefined;
  if (session.sandbox) return "the sandbox of this session leaves no room for that.";
  if (containment.kind === "kernel") return undefined;
  return containment.problem ?? "this agent's commands cannot be contained.";
}

/** The capabilities that are plain yes or no, and so can be missing. */
export type CapabilityName = {
  [Name in keyof Capabilities]-?: Capabilities[Name] extends boolean ? Name : never;
}[keyof Capabilities];
