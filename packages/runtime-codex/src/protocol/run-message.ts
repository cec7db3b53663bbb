import { AgentAccount, Capabilities, eventData, JsonObject, Surface } from "@turnwire/protocol";
import * as z from "zod";
import { UiEvent } from "@turnwire/runtime/ui-tool";
import { ToolCallParams } from "./server-request.ts";

/** What the run says into its thread's stream, in its place between the app-server's own messages. */
export const runMessageSchemas = {
  /** First of all: the thread that is this session; other threads in the stream are its sub-agents. */
  "turnwire/thread": z.object({ thread_id: z.string(), model: z.string().optional() }),
  /** A turn is about to be handed over; the next `turn/started` of the thread is its beginning. */
  "turnwire/turn_sent": z.object({
    turn_id: z.string(),
    /** Its answer is JSON in the form of the session's schema. */
    has_schema: z.boolean().optional(),
  }),
  /** The running turn is about to be asked to stop; the session has cancelled what was open. */
  "turnwire/interrupt_sent": z.looseObject({}),
  /** A person's answer to a server request is about to be sent. */
  "turnwire/answer_sent": z.object({ correlation_id: z.string() }),
  /** A call of a tool that the client has brought: a person has to allow it first. */
  "turnwire/tool_approval": ToolCallParams,
  /** The policy decided about a request, before anything was done. */
  "turnwire/policy_decision": z.object({
    threadId: z.string(),
    turnId: z.string(),
    decision: eventData.policy_decision,
  }),
  /** The agent changes what the UI shows or shares with it. */
  "turnwire/ui": z.object({ threadId: z.string(), turnId: z.string(), event: UiEvent }),
  /** The agent shows a component and waits for what a person does there. */
  "turnwire/interrupt_ask": z.object({
    threadId: z.string(),
    turnId: z.string(),
    component_name: z.string(),
    props: JsonObject,
    surface: Surface,
  }),
  /** The app-server died and another has taken up the thread: what was open there is lost. */
  "turnwire/restarted": z.object({ message: z.string() }),
  /** The mode that turns run in from now on. */
  "turnwire/permission_mode": z.object({ mode: z.string() }),
  /** What the agent can do, as it said when it started. */
  "turnwire/run_info": z.object({ capabilities: Capabilities }),
  /** The account that is logged in. */
  "turnwire/account": z.object({ account: AgentAccount }),
};

type RunMessageMethod = keyof typeof runMessageSchemas;

/** A message that the run injects, in the form of a notification. */
export type RunMessage = {
  [Method in RunMessageMethod]: {
    readonly method: Method;
    readonly params: z.infer<(typeof runMessageSchemas)[Method]>;
    /** Of a message that waits for an answer: the app-server's id of its request. */
    readonly id?: string | number;
    /** The session's id of it. */
    readonly correlation_id?: string;
  };
}[RunMessageMethod];
