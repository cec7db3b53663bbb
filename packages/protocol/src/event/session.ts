import * as z from "zod";
import { AgentAccount } from "../part/account.ts";
import { Budget } from "../part/budget.ts";
import { Capabilities } from "../part/capabilities.ts";
import { CatalogEntry } from "../part/catalog.ts";
import { SessionSandbox } from "../part/sandbox.ts";
import { SessionConfiguration } from "../part/trust.ts";
import { Worktree } from "../part/worktree.ts";
import { by } from "./by.ts";

export const SessionStatus = z
  .enum(["live", "hibernated", "archived"])
  .describe(
    "`live`: has an agent process or may get one; `hibernated`: gave it back and wakes on input; `archived`: read-only.",
  );
export type SessionStatus = z.infer<typeof SessionStatus>;

export const sessionEventData = {
  session_ready: z
    .object({
      session_id: z.string().describe("The session's id."),
      protocol_version: z.string().describe("The version of this protocol that the log follows."),
      runtime: z.string().describe("The name of the runtime, as in `GET /runtimes`."),
      provider_session_id: z
        .string()
        .optional()
        .describe("The id that the agent's own program gave the conversation."),
      resumed: z
        .boolean()
        .optional()
        .describe("Whether the agent continues an earlier conversation of its own."),
      model: z.string().optional().describe("The model chosen at creation."),
      effort: z.string().optional().describe("The effort chosen at creation."),
      permission_mode: z.string().optional().describe("The permission mode chosen at creation."),
      policy_mode: z
        .string()
        .optional()
        .describe("The policy mode that the session begins with; absent: no policy decides."),
      budget: Budget.optional().describe("How much the session may use."),
      sandbox: SessionSandbox.optional().describe(
        "The sandbox that the agent's commands run in; absent: none.",
      ),
      cwd: z.string().optional().describe("The agent's working directory, an absolute path."),
      worktree: Worktree.optional().describe(
        "The git worktree that it works in, where one was made for it.",
      ),
      title: z.string().optional().describe("The title for lists."),
      forked_from: z
        .object({
          session_id: z.string().describe("The session that was copied."),
          seq: z.int().describe("The last seq of that session that the copy contains."),
        })
        .optional()
        .describe("The session that this one is a copy of."),
      capabilities: Capabilities.describe("What the runtime can do in this session."),
      configuration: SessionConfiguration.optional().describe(
        "What of the project's and the person's own files is in force.",
      ),
      catalog: z
        .array(CatalogEntry)
        .optional()
        .describe("The components that can be shown from the beginning; absent: none is known."),
    })
    .describe("The session exists. The first event of every log."),
  session_updated: z
    .object({
      title: z.string().optional().describe("The new title."),
      model: z
        .string()
        .nullable()
        .optional()
        .describe("The new model; null: the runtime's default again."),
      effort: z
        .string()
        .nullable()
        .optional()
        .describe("The new effort; null: the runtime's default again."),
      permission_mode: z.string().optional().describe("The new permission mode."),
      policy_mode: z
        .string()
        .nullable()
        .optional()
        .describe("The new policy mode; null: no policy decides any more."),
      budget: Budget.nullable()
        .optional()
        .describe("How much the session may use from now on; null: as much as it wants."),
      provider_session_id: z
        .string()
        .optional()
        .describe("The id that the agent's own program gave the conversation."),
      account: AgentAccount.optional().describe(
        "The account that the agent works with, as it reports at its start; replaces the earlier value.",
      ),
      status: SessionStatus.optional(),
      capabilities: Capabilities.optional().describe(
        "What the runtime can do from now on; replaces the earlier value.",
      ),
      configuration: SessionConfiguration.optional().describe(
        "What of the project's and the person's own files is in force from now on; replaces the earlier value.",
      ),
      by,
    })
    .describe("Something about the session itself changed. An absent field did not change."),
  session_closed: z
    .object({
      reason: z.enum(["deleted"]).describe("Why the session ended."),
      by,
    })
    .describe("The session was deleted. The last event of its log."),
};
