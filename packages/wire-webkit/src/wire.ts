import { type Command, type Result, wireError, type WireError } from "@turnwire/protocol";
import {
  type OpenSession,
  type Wire,
  type WireContext,
  type WireHost,
  type HttpResponse,
  json,
  empty,
  refused,
  catchUpWith,
  gapError,
  openSession,
  type Call,
  type Route,
} from "@turnwire/wire";
import { genUiRoute } from "./genui.ts";
import { webkit as webkitDialect, webkitWithPartialInput } from "./dialect/webkit.ts";
import { WebkitInput } from "./dialect/input.ts";
import { webkitPositionFrom, type WebkitOptions } from "./position.ts";

/** What agent-webkit's clients call beside `POST /sessions` and `DELETE`; the words of refusals are those of its server. */
export function webkit(options?: WebkitOptions): Wire {
  return {
    name: "webkit",
    routes: (context) => [...sessionRoutes(context, options), genUiRoute(context.host)],
  };
}

function sessionRoutes({ host, stream }: WireContext, options?: WebkitOptions): Route[] {
  return [
    {
      method: "GET",
      path: "/sessions/{session_id}/stream",
      summary: "Follow a session as agent-webkit's clients do",
      access: "read",
      answers: {
        200: { description: "Everything after Last-Event-ID", contentType: "text/event-stream" },
      },
      async handle(call) {
        const opened = await openKnown(host, call);
        if (!opened.ok) return refused(opened.error);
        const session = opened.value;
        const lastEventId = [call.incoming.headers["last-event-id"]].flat().join();
        await catchUpWith(session.log, Number(lastEventId));
        const position = webkitPositionFrom(lastEventId, session.log, options);
        if (!position.ok) return refused(position.error);
        const after = position.value;
        const gap = gapError(session.log.verdict(after));
        if (gap) return refused(gap);
        const wantsPartial = session.creation.include_partial_messages === true;
        const dialect = wantsPartial ? webkitWithPartialInput : webkitDialect;
        return stream(call, { session, dialect, after });
      },
    },
    {
      method: "POST",
      path: "/sessions/{session_id}/input",
      summary: "Send input as agent-webkit's clients do",
      access: "operate",
      body: WebkitInput,
      answers: { 204: { description: "It is in the log" } },
      async handle(call) {
        const opened = await openKnown(host, call);
        if (!opened.ok) return refused(opened.error);
        const session = opened.value;
        const input = await call.readJson();
        if (!input.ok) return refused(bodyError(input.error));
        const command = webkitDialect.commandFrom(input.value, session.control);
        if (!command.ok) return refused(command.error);
        const result = await session.execute(command.value, call.principal);
        return result.ok ? empty(204) : refusedInput(result.error, command.value);
      },
    },
  ];
}

async function openKnown(host: WireHost, call: Call): Promise<Result<OpenSession>> {
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
