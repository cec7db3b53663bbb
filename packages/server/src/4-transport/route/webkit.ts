import { type Command, type Result, wireError, type WireError } from "@turnwire/protocol";
import type { OpenSession } from "../../2-session/port/open-session.ts";
import type { SessionHost } from "../../3-host/session-host.ts";
import { webkit, webkitWithPartialInput } from "../../3-dialect/webkit/webkit.ts";
import { WebkitInput } from "../../3-dialect/webkit/input.ts";
import { empty, json, refused, type HttpResponse } from "../http/http-response.ts";
import { catchUpWith } from "../stream/cursor.ts";
import { gapError } from "../stream/gap.ts";
import type { ReaderHub } from "../stream/reader-hub.ts";
import { openSession, type Call, type Route } from "../http/route.ts";
import { streamBySse, streamHeaders } from "../stream/sse-writer.ts";
import { webkitPositionFrom, type WebkitOptions } from "../stream/webkit-position.ts";

/** What agent-webkit's clients call beside `POST /sessions` and `DELETE`; the words of refusals are those of its server. */
export function webkitRoutes(host: SessionHost, hub: ReaderHub, options?: WebkitOptions): Route[] {
  return [
    {
      method: "GET",
      path: "/sessions/{session_id}/stream",
      summary: "Follow a session as agent-webkit's clients do",
      access: "principal",
      answers: {
        200: { description: "Everything after Last-Event-ID", contentType: "text/event-stream" },
      },
      async handle(call) {
        const opened = await openKnown(host, call);
        if (!opened.ok) return refused(opened.error);
        const session = opened.value;
        const { incoming } = call;
        const lastEventId = [incoming.headers["last-event-id"]].flat().join();
        await catchUpWith(session.log, Number(lastEventId));
        const position = webkitPositionFrom(lastEventId, session.log, options);
        if (!position.ok) return refused(position.error);
        const after = position.value;
        const gap = gapError(session.log.verdict(after));
        if (gap) return refused(gap);
        if (incoming.method === "HEAD") return empty(200, streamHeaders(session, after));
        const wantsPartial = session.creation.include_partial_messages === true;
        const dialect = wantsPartial ? webkitWithPartialInput : webkit;
        return streamBySse(hub, { session, dialect, after, call });
      },
    },
    {
      method: "POST",
      path: "/sessions/{session_id}/input",
      summary: "Send input as agent-webkit's clients do",
      access: "principal",
      body: WebkitInput,
      answers: { 204: { description: "It is in the log" } },
      async handle(call) {
        const opened = await openKnown(host, call);
        if (!opened.ok) return refused(opened.error);
        const session = opened.value;
        const input = await call.readJson();
        if (!input.ok) return refused(bodyError(input.error));
        const command = webkit.commandFrom(input.value, session.control);
        if (!command.ok) return refused(command.error);
        const result = await session.execute(command.value, call.principal);
        return result.ok ? empty(204) : refusedInput(result.error, command.value);
      },
    },
  ];
}

async function openKnown(host: SessionHost, call: Call): Promise<Result<OpenSession>> {
  const session = await openSession(host, call);
  if (session.ok || session.error.code !== "session_not_found") return session;
  return { ok: false, error: wireError("session_not_found", "Session not found") };
}

function bodyError(error: WireError): WireError {
  if (error.code !== "invalid_request") return error;
  return wireError("invalid_request", "Invalid JSON", { reason: error.message });
}

/** What an answer is for; agent-webkit does not distinguish a late one from one that never had a request. */
const awaited: Partial<Record<Command["type"], string>> = {
  permission_response: "permission",
  question_response: "question",
  hook_response: "hook",
};

function refusedInput(error: WireError, command: Command): HttpResponse {
  const request = awaited[command.type];
  switch (error.code) {
    case "already_resolved":
    case "request_not_found":
      return refused(noneWaits(request));
    case "invalid_request":
      return refused(request === undefined ? error : noneWaits(request));
    case "queue_full": {
      const full = wireError("overloaded", "Inbound queue full; refuse and retry later");
      const { headers, status } = refused(full);
      const body = { error: full, detail: full.message, code: "backpressure" };
      return { ...json(status, body), headers };
    }
    default:
      return refused(error);
  }
}

function noneWaits(request = "request"): WireError {
  return wireError("already_resolved", `No pending ${request} for that correlation_id`);
}
