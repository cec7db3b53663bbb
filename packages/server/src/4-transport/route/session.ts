import {
  CreateSession,
  DeletedSession,
  DeleteSessionQuery,
  SessionList,
  validate,
} from "@turnwire/protocol";
import type { SessionHost } from "../../3-host/session-host.ts";
import {
  SessionPatch,
  settingCommandsFrom,
  json,
  empty,
  refused,
  noBody,
  sessionRoute,
  type Route,
} from "@turnwire/wire";
import { infoResponse, infoShape, pendingInfoShape } from "./response-shape.ts";
import { ListQuery, listQueryFrom } from "./list-query.ts";

/** Sessions as things: made, listed, changed, removed. */
export function sessionRoutes(host: SessionHost): Route[] {
  return [
    {
      method: "POST",
      path: "/sessions",
      summary: "Create a session",
      access: "operate",
      body: CreateSession,
      answers: { 201: infoShape },
      async handle(call) {
        const input = await call.readJson();
        if (!input.ok) return refused(input.error);
        const body = validate(CreateSession, input.value);
        if (!body.ok) return refused(body.error);
        const session = await host.create(body.value, call.principal);
        return session.ok ? json(201, session.value.info()) : refused(session.error);
      },
    },
    {
      method: "GET",
      path: "/sessions",
      summary: "List sessions, newest update first",
      access: "read",
      isNarrowed: true,
      query: ListQuery,
      answers: { 200: { description: "A page of sessions", schema: SessionList } },
      async handle(call) {
        const query = listQueryFrom(call);
        if (!query.ok) return refused(query.error);
        return json(200, await host.list(query.value));
      },
    },
    sessionRoute(host, {
      method: "GET",
      path: "/sessions/{session_id}",
      summary: "Show a session",
      body: noBody,
      answers: { 200: infoShape },
      handle: (session) => json(200, session.info()),
    }),
    sessionRoute(host, {
      method: "PATCH",
      path: "/sessions/{session_id}",
      summary: "Change title, model, effort or permission mode, all or nothing",
      body: SessionPatch,
      answers: { 200: infoShape, 202: pendingInfoShape },
      async handle(session, patch, call) {
        const result = await session.update(settingCommandsFrom(patch), call.principal);
        return infoResponse(result, session);
      },
    }),
    {
      method: "DELETE",
      path: "/sessions/{session_id}",
      summary: "End a session and remove it",
      access: "operate",
      query: DeleteSessionQuery,
      answers: {
        204: { description: "It is gone" },
        200: { description: "It is gone; it had a worktree", schema: DeletedSession },
      },
      async handle(call) {
        const query = validate(DeleteSessionQuery, Object.fromEntries(call.query));
        if (!query.ok) return refused(query.error);
        const id = call.params["session_id"] ?? "";
        const result = await host.delete(id, call.principal, query.value.worktree);
        if (!result.ok) return refused(result.error);
        return result.value ? json(200, { worktree: result.value }) : empty(204);
      },
    },
  ];
}
