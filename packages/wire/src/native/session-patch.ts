import { commandSchemas, type SettingCommand } from "@turnwire/protocol";
import * as z from "zod";

export const SessionPatch = z.object({
  title: commandSchemas.rename.shape.title.optional(),
  model: commandSchemas.set_model.shape.model.optional(),
  effort: commandSchemas.set_effort.shape.effort.optional(),
  permission_mode: commandSchemas.set_permission_mode.shape.mode.optional(),
  policy_mode: commandSchemas.set_policy_mode.shape.mode.optional(),
});
type SessionPatch = z.infer<typeof SessionPatch>;

/** The commands that a patch of a session means, to be taken together. */
export function settingCommandsFrom(patch: SessionPatch): SettingCommand[] {
  const { title, model, effort, permission_mode: mode, policy_mode: policyMode } = patch;
  const commands: SettingCommand[] = [];
  if (title !== undefined) commands.push({ type: "rename", title });
  if (model !== undefined) commands.push({ type: "set_model", model });
  if (effort !== undefined) commands.push({ type: "set_effort", effort });
  if (mode !== undefined) commands.push({ type: "set_permission_mode", mode });
  if (policyMode !== undefined) commands.push({ type: "set_policy_mode", mode: policyMode });
  return commands;
}
