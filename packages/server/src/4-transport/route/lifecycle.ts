import { commandSchemas, type Command } from "@turnwire/protocol";
import type { SessionHost } from "../../2-session/session-host.ts";
import { json, refused } from "../http-response.ts";
import { noBody, sessionRoute, type Route } from "../route.ts";
import { acceptedShape, responseFrom, infoShape } from "./response-shape.ts";

/** What can happen to a session and its turns as a whole. */
export function lifecycleRoutes(host: SessionHost): Route[] {
  return [
    sessionRoute(host, {
      method: "POST",
      path: "/sessions/{session_id}/stop",
      summary: "Stop the turn that runs",
      body: noBody,
      answers: { 202: acceptedShape },
      async handle(session, _body, call) {
        return responseFrom(await session.execute({ type: "interrupt" }, call.principal));
      },
    }),
    sessionRoute(host, {
      method: "POST",
      path: "/sessions/{session_id}/resume",
      summary: "Wake a hibernated session",
      body: noBody,
      answers: { 200: infoShape },
      async handle(session) {
        const info = await session.wake();
        return info.ok ? json(200, info.value) : refused(info.error);
      },
    }),
    sessionRoute(host, {
      method: "POST",
      path: "/sessions/{session_id}/fork",
      summary: "Copy a session, up to a turn",
      body: commandSchemas.fork.omit({ type: true }),
      answers: { 201: infoShape },
      async handle(session, body, call) {
        const result = await session.execute({ type: "fork", ...body }, call.principal);
        return result.ok ? json(201, result.value.forked) : refused(result.error);
      },
    }),
    sessionRoute(host, {
      method: "POST",
      path: "/sessions/{session_id}/rollback",
      summary: "Undo a turn and all after it",
      body: commandSchemas.rollback.omit({ type: true }),
      answers: { 202: acceptedShape },
      async handle(session, body, call) {
        return responseFrom(await session.execute({ type: "rollback", ...body }, call.principal));
      },
    }),
    sessionRoute(host, {
      method: "POST",
      path: "/sessions/{session_id}/compact",
      summary: "Have the agent shorten what it remembers",
      body: commandSchemas.compact.omit({ type: true }),
      answers: { 202: acceptedShape },
      async handle(session, body, call) {
        return responseFrom(await session.execute({ type: "compact", ...body }, call.principal));
      },
    }),
    statusRoute(host, "archive", "Make a session read-only"),
    statusRoute(host, "unarchive", "Make an archived session usable again"),
  ];
}

function statusRoute(
  host: SessionHost,
  type: Extract<Command["type"], "archive" | "unarchive">,
  summary: string,
): Route {
  return sessionRoute(host, {
    method: "POST",
    path: `/sessions/{session_id}/${type}`,
    summary,
    body: noBody,
    answers: { 200: infoShape },
    async handle(session, _body, call) {
      const result = await session.execute({ type }, call.principal);
      return result.ok ? json(200, session.info()) : refused(result.error);
    },
  });
}
