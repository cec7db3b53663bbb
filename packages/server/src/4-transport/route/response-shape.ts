import * as z from "zod";
import { type Result, SessionInfo } from "@turnwire/protocol";
import {
  type Accepted,
  type OpenSession,
  type HttpResponse,
  json,
  refused,
  type AnswerShape,
} from "@turnwire/wire";

export const AcceptedBody = z.object({
  accepted: z.literal(true),
  seq: z.int(),
  message_id: z.string().optional(),
  duplicate: z.boolean().optional(),
  is_pending: z.boolean().optional(),
});

export const acceptedShape: AnswerShape = {
  description:
    "It is in the log, at seq; or, with `is_pending`, it is stored and waits for the session's host",
  schema: AcceptedBody,
};
export const infoShape: AnswerShape = { description: "The session", schema: SessionInfo };
export const pendingInfoShape: AnswerShape = {
  description: "The session as it is; the command is stored and waits for the session's host",
  schema: SessionInfo,
};

/** 202 with the place in the log, or the rejection. */
export function responseFrom(result: Result<Accepted>): HttpResponse {
  if (!result.ok) return refused(result.error);
  const { seq, messageId, duplicate, isPending } = result.value;
  return json(202, {
    accepted: true,
    ...(messageId !== undefined && { message_id: messageId }),
    seq,
    ...(duplicate !== undefined && { duplicate }),
    ...(isPending !== undefined && { is_pending: isPending }),
  });
}

/** The session as it is now: 200, or 202 where its host has yet to carry the command out; or the rejection. */
export function infoResponse(result: Result<Accepted>, session: OpenSession): HttpResponse {
  if (!result.ok) return refused(result.error);
  return json(result.value.isPending ? 202 : 200, session.info());
}
