import * as z from "zod";

/** What the run itself needs to know of a native message. */
export type Progress =
  | { readonly type: "busy" }
  | { readonly type: "idle" }
  /** The end of a turn; a CLI that reports when it is idle does so afterwards. */
  | { readonly type: "result" }
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
const Result = z.object({ type: z.literal("result") });
const Known = z.union([StateChange, Init, Lifecycle, Result]);
const Head = z.object({ type: z.enum(["system", "command_lifecycle", "result", "turnwire/line"]) });
const Line = z.object({ type: z.literal("turnwire/line"), message: z.unknown() });

export function progressFrom(message: unknown): Progress {
  // Most messages are parts of a text: they are recognized at first sight.
  if (!Head.safeParse(message).success) return { type: "other" };
  const line = Line.safeParse(message).data;
  if (line) return progressFrom(line.message);
  const known = Known.safeParse(message);
  if (!known.success) return { type: "other" };
  const { data } = known;
  if (data.type === "result") return { type: "result" };
  if (data.type === "command_lifecycle") return { type: "input_started", uuid: data.command_uuid };
  if (data.subtype === "init") return { type: "session", sessionId: data.session_id };
  return { type: data.state === "idle" ? "idle" : "busy" };
}
