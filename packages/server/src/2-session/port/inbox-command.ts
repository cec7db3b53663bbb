import {
  Command,
  rejected,
  type Result,
  SystemPrompt,
  TokenScope,
  validate,
  WorktreeChoice,
  type SettingCommand,
} from "@turnwire/protocol";
import * as z from "zod";
import type { DecidedCommand } from "../decide/decide.ts";

const principal = z.object({
  id: z.string(),
  isAdmin: z.boolean(),
  token: z
    .object({ id: z.string(), scope: TokenScope, sessionId: z.string().exactOptional() })
    .exactOptional(),
});

const settingTypes: ReadonlySet<Command["type"]> = new Set<SettingCommand["type"]>([
  "rename",
  "set_model",
  "set_effort",
  "set_permission_mode",
  "set_policy_mode",
]);

const setting = Command.refine(({ type }) => settingTypes.has(type), "not a setting").transform(
  // The refinement has made sure of the type.
  (command) => command as SettingCommand,
);

/** What a host stores in the inbox of a session that another host runs. */
export const InboxCommand = z.discriminatedUnion("kind", [
  /** `messageId` is the id of the message, should the command become one. */
  z.object({ kind: z.literal("command"), command: Command, messageId: z.string(), principal }),
  z.object({ kind: z.literal("update"), commands: z.array(setting).readonly(), principal }),
  z.object({ kind: z.literal("wake") }),
  z.object({ kind: z.literal("instruct"), prompt: SystemPrompt, principal }),
  /** The CLI that is the session's agent has dialled in to the host that asks. */
  z.object({ kind: z.literal("hand_over") }),
  z.object({ kind: z.literal("delete"), choice: WorktreeChoice, principal }),
]);
export type InboxCommand = z.infer<typeof InboxCommand>;

/** An entry of the inbox that a command came in by: it is answered in the transaction of the command's events. */
export interface CommandSource {
  readonly entryId: string;
  /** The id of the message, should the command become one. */
  readonly messageId?: string;
}

/** Another host wrote it, maybe one of a later version. */
export function inboxCommandFrom(body: string): Result<InboxCommand> {
  try {
    return validate(InboxCommand, JSON.parse(body));
  } catch {
    return rejected("invalid_request", "The command in the inbox is not JSON.");
  }
}

/** Whether a command is decided and stored in one step. */
export function isDecided(command: Command): command is DecidedCommand {
  return command.type !== "fork" && command.type !== "rollback" && command.type !== "compact";
}
