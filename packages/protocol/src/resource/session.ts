import * as z from "zod";
import { Budget } from "../part/budget.ts";
import { CatalogEntries } from "../part/catalog.ts";
import { commandSchemas, MessageContent } from "../command/command.ts";
import { Capabilities } from "../part/capabilities.ts";
import { SessionStatus } from "../event/session.ts";
import { Delivery, isUnattended, review } from "../event/turn.ts";
import { JsonObject, JsonValue } from "../json/json.ts";
import { PolicyModeName } from "../part/policy-mode.ts";
import { SandboxWish } from "../part/sandbox.ts";
import { sessionConfiguration, SystemPrompt } from "../part/session-configuration.ts";
import { Worktree, WorktreeRequest } from "../part/worktree.ts";

/** Ids a client may choose: they end up in paths and logs, so only harmless characters. */
export const SessionId = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$/,
    "1 to 128 letters, digits, - or _, starting with a letter or digit",
  )
  .refine((id) => id !== "search", "`search` is a route of its own: choose another id");

/** The body of `POST /sessions`. A key that is not here is an error, so that a misspelt one is not lost. */
export const CreateSession = z.strictObject({
  runtime: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .describe("The name of the runtime; without it, the server's default."),
  session_id: SessionId.optional().describe(
    "An id chosen by the client: 1 to 128 letters, digits, `-` or `_`, starting with a letter or digit. Without it, the server makes one.",
  ),
  model: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe("The model; without it, the runtime's default."),
  permission_mode: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .describe("One of the runtime's `permission_modes`; its `admin_modes` are for admins."),
  policy_mode: PolicyModeName.nullable()
    .optional()
    .describe(
      "One of the modes of the policy, for example `planner`; it decides about every tool call before the permission mode does. Without it, the server's default, else none; null: none, whatever the default. Only an admin may choose what allows more than the default.",
    ),
  cwd: z
    .string()
    .min(1)
    .max(4096)
    .optional()
    .describe(
      "The working directory: an absolute path inside a project. Without it, the first of the server's roots, else where the server was started, else the newest project.",
    ),
  worktree: WorktreeRequest.optional().describe(
    "Makes a git worktree of the working directory's repository, with a branch of its own, and the session works there. `true`: with a branch name of the server's.",
  ),
  title: z.string().max(500).optional().describe("A title for lists."),
  sandbox: SandboxWish.optional().describe(
    "Runs the agent's commands in a sandbox; 503 `sandbox_unavailable` where there is none.",
  ),
  budget: Budget.optional().describe(
    "How much the session may use before its agent pauses and a person is asked.",
  ),
  catalog: CatalogEntries.optional().describe(
    "Components that can be shown in the session, beside those of the server's catalog.",
  ),
  ...sessionConfiguration,
  params: JsonObject.optional().describe("Options of the runtime, for example `frontend_tools`."),
  include_partial_messages: z
    .boolean()
    .optional()
    .describe("For the webkit dialect only: tool inputs are streamed while they are written."),
});
export type CreateSession = z.infer<typeof CreateSession>;

/** The body of `POST /sessions/:id/message`. */
export const SendMessage = z.object({
  message: MessageContent,
  client_message_id: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe("The sender's own id: sending again with it has no further effect."),
  delivery: Delivery.optional().describe("How to deliver it; `queue` by default."),
  review,
  is_unattended: isUnattended,
  context: JsonObject.optional().describe("Data for the agent beside the text."),
  node_context: JsonValue.optional().describe(
    "More data for the agent, which gets it as `node_context` within the context: for clients that send where in their own document the message belongs.",
  ),
});
export type SendMessage = z.infer<typeof SendMessage>;

/** The body of `POST /sessions/:id/resume`. */
export const ResumeSession = z.strictObject({
  provider_session_id: z
    .string()
    .min(1)
    .max(500)
    .optional()
    .describe(
      "The conversation of the agent's own program to continue. Where there is no session by the path's id, it is imported under it; admins only. An existing session must have this one.",
    ),
  runtime: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .describe("The runtime of an imported conversation; without it, the server's default."),
  model: commandSchemas.set_model.shape.model.optional(),
  effort: commandSchemas.set_effort.shape.effort.optional(),
  system_prompt: SystemPrompt.optional().describe(
    "Other instructions from now on; `replace` is for admins.",
  ),
});
export type ResumeSession = z.infer<typeof ResumeSession>;

const resumeCommand = z
  .string()
  .describe("The shell command that continues the conversation in a terminal, without Turnwire.");

/** A conversation that an agent's own program made on this machine, and that can be imported. */
export const PastSession = z.object({
  runtime: z.string().describe("The runtime that can import it."),
  provider_session_id: z.string().describe("Its id in the agent's own program."),
  title: z.string().optional().describe("Its title or first words."),
  cwd: z.string().optional().describe("The directory it was held in."),
  updated_at: z.iso.datetime().describe("When it last changed."),
  resume_command: resumeCommand,
});
export type PastSession = z.infer<typeof PastSession>;

/** The body of `POST /history/:id/import`. */
export const ImportSession = z.object({
  runtime: z.string().min(1).max(100).describe("The runtime that the conversation belongs to."),
});
export type ImportSession = z.infer<typeof ImportSession>;

export const SessionActivity = z
  .enum(["idle", "working", "waiting"])
  .describe(
    "`idle`: nothing to do; `working`: a turn runs or a message waits for one; `waiting`: a request is open.",
  );
export type SessionActivity = z.infer<typeof SessionActivity>;

/** A session as lists and `GET /sessions/:id` show it. */
export const SessionInfo = z
  .object({
    session_id: z.string().describe("The session's id."),
    protocol_version: z.string().describe("The version of this protocol."),
    runtime: z.string().describe("The name of its runtime."),
    status: SessionStatus,
    activity: SessionActivity,
    title: z.string().optional().describe("The title."),
    model: z.string().optional().describe("The model; absent: the runtime's default."),
    effort: z.string().optional().describe("The effort; absent: the runtime's default."),
    permission_mode: z
      .string()
      .optional()
      .describe("The permission mode; absent: the runtime's default."),
    policy_mode: z.string().optional().describe("The policy mode; absent: no policy decides."),
    cwd: z.string().optional().describe("The agent's working directory."),
    worktree: Worktree.optional().describe(
      "The git worktree that it works in, where one was made for it.",
    ),
    provider_session_id: z
      .string()
      .optional()
      .describe("The id that the agent's own program gave the conversation."),
    resume_command: resumeCommand.optional(),
    created_at: z.iso.datetime().describe("When it was created."),
    updated_at: z.iso
      .datetime()
      .describe(
        "When somebody or the agent last did something in it. What the server does by itself, such as hibernating or recovering it, and a change of its settings do not count.",
      ),
    head: z.int().describe("The seq of the newest event."),
    epoch: z.string().describe("Identifies this log; changes only where stored events were lost."),
    damage: z
      .object({
        first_seq: z.int().optional().describe("The first damaged event."),
        last_seq: z.int().optional().describe("The last damaged event."),
      })
      .optional()
      .describe(
        "Present when stored data is missing or not what was written. Without `first_seq`, the damage is outside the events.",
      ),
  })
  .meta({ id: "SessionInfo" });
export type SessionInfo = z.infer<typeof SessionInfo>;

/** How a runtime reaches its agent on this machine, and what to do where it does not. */
export const RuntimeConnection = z
  .object({
    status: z
      .enum(["connected", "not_connected", "not_installed", "scripted"])
      .describe(
        "`connected`: it has what it logs in with; `not_connected`: that is missing; `not_installed`: the agent's program is missing; `scripted`: there is no agent behind it, only a script.",
      ),
    account: z
      .string()
      .optional()
      .describe("What it logs in with, never a secret: `API key in ANTHROPIC_API_KEY`."),
    version: z.string().optional().describe("The version of the agent's program."),
    steps: z
      .array(
        z.object({
          text: z.string().describe("What to do."),
          command: z.string().optional().describe("The exact command for it."),
        }),
      )
      .optional()
      .describe("The ways to connect it, when it is not: each one suffices."),
  })
  .meta({ id: "RuntimeConnection" });
export type RuntimeConnection = z.infer<typeof RuntimeConnection>;

/** One runtime as `GET /runtimes` shows it. */
export const RuntimeInfo = z
  .object({
    name: z.string().describe("The name that `POST /sessions` takes."),
    label: z.string().describe("The name for people."),
    special_purpose: z
      .string()
      .optional()
      .describe(
        "What it is for, where another runtime is the usual way to the same agent: an app offers it apart from the others.",
      ),
    is_default: z
      .boolean()
      .describe(
        "Whether it is used where none is named: the configured one, else the first that is connected, else a scripted one.",
      ),
    is_available: z.boolean().describe("Whether sessions can be created with it now."),
    problem: z
      .string()
      .optional()
      .describe("What is missing and what to do about it, when it is not available."),
    connection: RuntimeConnection.describe("How it reaches its agent."),
    is_probing: z
      .boolean()
      .optional()
      .describe(
        "Whether the agent is being asked for its models and commands: they are in a later answer.",
      ),
    capabilities: Capabilities.describe("What it can do, as far as it is known now."),
  })
  .meta({ id: "RuntimeInfo" });
export type RuntimeInfo = z.infer<typeof RuntimeInfo>;
