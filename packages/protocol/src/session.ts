import * as z from "zod";
import { MessageContent } from "./command.ts";
import { Capabilities } from "./capabilities.ts";
import { SessionStatus } from "./event/session.ts";
import { Delivery } from "./event/turn.ts";
import { JsonObject } from "./json.ts";

/** Ids a client may choose: they end up in paths and logs, so only harmless characters. */
export const SessionId = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$/,
    "1 to 128 letters, digits, - or _, starting with a letter or digit",
  );

/** The body of `POST /sessions`. */
export const CreateSession = z.object({
  runtime: z.string().min(1).max(100).optional(),
  session_id: SessionId.optional(),
  model: z.string().min(1).max(200).optional(),
  permission_mode: z.string().min(1).max(100).optional(),
  cwd: z.string().min(1).max(4096).optional(),
  title: z.string().max(500).optional(),
  system_prompt: z.string().max(1_000_000).optional(),
  params: JsonObject.optional(),
  /** How agent-webkit's clients ask to see tool inputs while they are written. */
  include_partial_messages: z.boolean().optional(),
});
export type CreateSession = z.infer<typeof CreateSession>;

/** The body of `POST /sessions/:id/message`. */
export const SendMessage = z.object({
  message: MessageContent,
  client_message_id: z.string().min(1).max(200).optional(),
  delivery: Delivery.optional(),
  context: JsonObject.optional(),
});
export type SendMessage = z.infer<typeof SendMessage>;

/** A conversation that an agent's own program made on this machine, and that can be imported. */
export const PastSession = z.object({
  runtime: z.string(),
  provider_session_id: z.string(),
  title: z.string().optional(),
  cwd: z.string().optional(),
  updated_at: z.iso.datetime(),
  /** The command that resumes it in a terminal, without Turnwire. */
  resume_command: z.string(),
});
export type PastSession = z.infer<typeof PastSession>;

/** The body of `POST /history/:id/import`. */
export const ImportSession = z.object({ runtime: z.string().min(1).max(100) });
export type ImportSession = z.infer<typeof ImportSession>;

/** idle: nothing to do; working: a turn runs or a message waits for one; waiting: a person is asked. */
export const SessionActivity = z.enum(["idle", "working", "waiting"]);
export type SessionActivity = z.infer<typeof SessionActivity>;

/** A session as lists and `GET /sessions/:id` show it. */
export const SessionInfo = z.object({
  session_id: z.string(),
  protocol_version: z.string(),
  runtime: z.string(),
  status: SessionStatus,
  activity: SessionActivity,
  title: z.string().optional(),
  model: z.string().optional(),
  permission_mode: z.string().optional(),
  cwd: z.string().optional(),
  provider_session_id: z.string().optional(),
  /** The command that resumes it in a terminal, without Turnwire. */
  resume_command: z.string().optional(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
  /** The seq of the newest event. */
  head: z.int(),
  /** Identifies this log: where data was really lost, it changes. */
  epoch: z.string(),
  /**
   * Some of what the store has of it is missing or not what was written: the events from `first_seq`
   * to `last_seq`, or without them what is known beside the log. What is whole can be read.
   */
  damage: z.object({ first_seq: z.int().optional(), last_seq: z.int().optional() }).optional(),
});
export type SessionInfo = z.infer<typeof SessionInfo>;

/** One runtime as `GET /runtimes` shows it. */
export const RuntimeInfo = z.object({
  name: z.string(),
  label: z.string(),
  is_default: z.boolean(),
  is_available: z.boolean(),
  /** What is missing and what to do about it, when not available. */
  problem: z.string().optional(),
  capabilities: Capabilities,
});
export type RuntimeInfo = z.infer<typeof RuntimeInfo>;
