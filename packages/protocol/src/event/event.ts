import * as z from "zod";
import { Attachment } from "../part/attachment.ts";
import { catalogEventData } from "./catalog.ts";
import { componentEventData } from "./component.ts";
import { contentEventData, toolEventData } from "./content.ts";
import { policyEventData } from "./policy.ts";
import { progressEventData } from "./progress.ts";
import { requestEventData } from "./request.ts";
import { sessionEventData } from "./session.ts";
import { turnEventData } from "./turn.ts";

/** The data schema of every event type: the closed list of what can happen in a session. */
export const eventData = {
  ...sessionEventData,
  ...turnEventData,
  ...contentEventData,
  ...toolEventData,
  ...policyEventData,
  ...requestEventData,
  ...componentEventData,
  ...catalogEventData,
  ...progressEventData,
};

export type EventType = keyof typeof eventData;
export type EventData<Type extends EventType> = z.infer<(typeof eventData)[Type]>;

export const EventType = z.enum(Object.keys(eventData) as [EventType, ...EventType[]]);

/** An event before the log gave it its place: what normalizers and decisions produce. */
export type EventDraftOf<Type extends EventType> = {
  type: Type;
  data: EventData<Type>;
  turn_id?: string;
  subagent_id?: string;
};
export type EventDraft = { [Type in EventType]: EventDraftOf<Type> }[EventType];

/** A fact in a session's log. Only `seq` orders events; `ts` is for people. */
export type SessionEventOf<Type extends EventType> = EventDraftOf<Type> & {
  seq: number;
  ts: string;
  /** Parts of `data` that are too large for the log and stored beside it. */
  attachments?: readonly Attachment[];
};
export type SessionEvent = { [Type in EventType]: SessionEventOf<Type> }[EventType];

/** The fields of every event besides `type` and `data`. */
export const envelope = {
  seq: z.int().positive().describe("The event's position: 1, 2, 3, … without a gap."),
  ts: z.iso
    .datetime({ precision: 3 })
    .describe("When it happened, in UTC with milliseconds; not an order."),
  attachments: z
    .array(Attachment)
    .optional()
    .describe("Parts of `data` that are too large for the log and stored beside it."),
  turn_id: z.string().optional().describe("The turn that the event belongs to."),
  subagent_id: z
    .string()
    .optional()
    .describe("The sub-agent that the event belongs to: the `tool_use_id` that started it."),
};

const eventSchemas = Object.entries(eventData).map(([type, data]) =>
  z.object({ ...envelope, type: z.literal(type), data }),
);

export const SessionEvent = z.discriminatedUnion(
  "type",
  eventSchemas as [(typeof eventSchemas)[number], ...(typeof eventSchemas)[number][]],
) as unknown as z.ZodType<SessionEvent>;

/** Builds a draft, so that the compiler checks the data against its type. */
export function draft<Type extends EventType>(
  type: Type,
  data: EventData<Type>,
  place: { turn_id?: string; subagent_id?: string } = {},
): EventDraftOf<Type> {
  return { type, data, ...place };
}
