import { ResumeSession, validate } from "@turnwire/protocol";
import { resumeSession } from "../../3-host/resume.ts";
import type { SessionHost } from "../../3-host/session-host.ts";
import { commandForm, json, refused, type Route } from "@turnwire/wire";
import { commandRoute } from "./command-route.ts";
import { acceptedShape, infoResponse, infoShape, pendingInfoShape } from "./response-shape.ts";

/** What can happen to a session and its turns as a whole. */
export function lifecycleRoutes(host: SessionHost): Route[] {
  return [
    commandRoute(host, {
      method: "POST",
      path: "/sessions/{session_id}/stop",
      summary: "Stop the running turn",
      form: commandForm.stop,
      answers: { 202: acceptedShape },
    }),
    {
      method: "POST",
      path: "/sessions/{session_id}/resume",
      summary: "Wake a hibernated session, or continue a conversation of the agent's own program",
      access: "operate",
      body: ResumeSession,
      answers: { 200: infoShape },
      async handle(call) {
        const input = await call.readJson();
        if (!input.ok) return refused(input.error);
        const body = validate(ResumeSession, input.value);
        if (!body.ok) return refused(body.error);
        const info = await resumeSession(host, call.params["session_id"] ?? "", {
          wish: body.value,
          principal: call.principal,
        });
        return info.ok ? json(200, info.value) : refused(info.error);
      },
    },
    commandRoute(host, {
      method: "POST",
      path: "/sessions/{session_id}/fork",
      summary: "Copy a session, up to a turn",
      form: commandForm.fork,
      answers: { 201: infoShape },
      respond: (result) => (result.ok ? json(201, result.value.forked) : refused(result.error)),
    }),
    commandRoute(host, {
      method: "POST",
      path: "/sessions/{session_id}/rollback",
      summary: "Undo a turn and all turns after it",
      form: commandForm.rollback,
      answers: { 202: acceptedShape },
    }),
    commandRoute(host, {
      method: "POST",
      path: "/sessions/{session_id}/compact",
      summary: "Make the agent shorten what it remembers",
      form: commandForm.compact,
      answers: { 202: acceptedShape },
    }),
    statusRoute(host, "archive", "Make a session read-only"),
    statusRoute(host, "unarchive", "Make an archived session usable again"),
  ];
}

function statusRoute(host: SessionHost, type: "archive" | "unarchive", summary: string): Route {
  return commandRoute(host, {
    method: "POST",
    path: `/sessions/{session_id}/${type}`,
    summary,
    form: commandForm[type],
    answers: { 200: infoShape, 202: pendingInfoShape },
    respond: infoResponse,
  });
}
