import * as z from "zod";

/** What a runtime can do. A client shows and the server accepts only what is true here, whatever the runtime's name. */
export const Capabilities = z.object({
  interrupt: z.boolean(),
  steer: z.boolean(),
  resume: z.boolean(),
  permissions: z.boolean(),
  /** A tool may be allowed with another input than the agent asked for. */
  edit_tool_input: z.boolean(),
  questions: z.boolean(),
  hooks: z.boolean(),
  thinking: z.boolean(),
  images: z.boolean(),
  documents: z.boolean(),
  components: z.boolean(),
  frontend_tools: z.boolean(),
  shared_state: z.boolean(),
  subagents: z.boolean(),
  set_model: z.boolean(),
  set_permission_mode: z.boolean(),
  stop_task: z.boolean(),
  fork: z.boolean(),
  rollback: z.boolean(),
  /** A rollback can also restore the files that the undone turns changed. */
  rollback_files: z.boolean(),
  compact: z.boolean(),
  history: z.boolean(),
  permission_modes: z.array(z.string()),
  /** Those of the modes that run tools without asking: only an admin may choose them. */
  admin_modes: z.array(z.string()),
  /** Modes that the runtime has but that cannot be used here, with why and what to do. */
  unavailable_modes: z.record(z.string(), z.string()).optional(),
  models: z.array(z.object({ id: z.string(), label: z.string().optional() })),
  slash_commands: z.array(z.object({ name: z.string(), description: z.string().optional() })),
});
export type Capabilities = z.infer<typeof Capabilities>;

/** The capabilities that are plain yes or no, and so can be missing. */
export type CapabilityName = {
  [Name in keyof Capabilities]-?: Capabilities[Name] extends boolean ? Name : never;
}[keyof Capabilities];
