import * as z from "zod";

/** What the run itself needs to know of a native message. */
export type Progress =
  | { readonly type: "busy" }
  | { readonly type: "idle" }
  | { readonly type: "input_started"; readonly uuid: string }
  | { readonly type: "session"; readonly sessionId: string }
  | { readonly type: "other" };

const StateChange = z.object({
  type: z.literal("system"),
  subtype: z.literal("session_state_changed"),
  state: z.string(),
});
const Init = z.object({
  type: z.literal("system"),
  subtype: z.literal("init"),
  session_id: z.string(),
});
const Lifecycle = z.object({
  type: z.literal("command_lifecycle"),
  command_uuid: z.string(),
  state: z.literal("started"),
});
const Known = z.union([StateChange, Init, Lifecycle]);
const Head = z.object({ type: z.enum(["system", "command_lifecycle"]) });

export function progressFrom(message: unknown): Progress {
  // Most messages are parts of a text: they are recognized at first sight.
  if (!Head.safeParse(message).success) return { type: "other" };
  const known = Known.safeParse(message);
  if (!known.success) return { type: "other" };
  const { data } = known;
  if (data.type === "command_lifecycle") return { type: "input_started", uuid: data.command_uuid };
  if (data.subtype === "init") return { type: "session", sessionId: data.session_id };
  return { type: data.state === "idle" ? "idle" : "busy" };
}
