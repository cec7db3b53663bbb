import * as z from "zod";
import { type Result, SessionInfo } from "@turnwire/protocol";
import type { Accepted, OpenSession } from "../../2-session/open-session.ts";
import { json, refused, type HttpResponse } from "../http-response.ts";
import type { AnswerShape } from "../route.ts";

export const AcceptedBody = z.object({
  accepted: z.literal(true),
  seq: z.int(),
  message_id: z.string().optional(),
  duplicate: z.boolean().optional(),
});

export const acceptedShape: AnswerShape = {
  description: "It is in the log, at seq",
  schema: AcceptedBody,
};
export const infoShape: AnswerShape = { description: "The session", schema: SessionInfo };

/** 202 with the place in the log, or the rejection. */
export function responseFrom(result: Result<Accepted>): HttpResponse {
  if (!result.ok) return refused(result.error);
  const { seq, messageId, duplicate } = result.value;
  return json(202, {
    accepted: true,
    ...(messageId !== undefined && { message_id: messageId }),
    seq,
    ...(duplicate !== undefined && { duplicate }),
  });
}

/** 200 with the session as it is now, or the rejection. */
export function infoResponse(result: Result<Accepted>, session: OpenSession): HttpResponse {
  return result.ok ? json(200, session.info()) : refused(result.error);
}
