import { Command, commandSchemas, SendMessage } from "@turnwire/protocol";
import type { SessionHost } from "../../2-session/session-host.ts";
import { native } from "../../3-dialect/native.ts";
import { json, refused } from "../http-response.ts";
import { sessionRoute, type Route } from "../route.ts";
import { acceptedShape, responseFrom, infoShape } from "./response-shape.ts";

/** Ways to say something to a session: messages, answers, any command. */
export function commandRoutes(host: SessionHost): Route[] {
  return [
    sessionRoute(host, {
      method: "POST",
      path: "/sessions/{session_id}/message",
      summary: "Send a message",
      body: SendMessage,
      answers: { 202: acceptedShape },
      async handle(session, { message, ...rest }, call) {
        const command: Command = { type: "user_message", content: message, ...rest };
        return responseFrom(await session.execute(command, call.principal));
      },
    }),
    sessionRoute(host, {
      method: "POST",
      path: "/sessions/{session_id}/steer",
      summary: "Say something to the turn that runs",
      body: SendMessage,
      answers: { 202: acceptedShape },
      async handle(session, { message, delivery: _delivery, ...rest }, call) {
        const command: Command = { type: "steer", content: message, ...rest };
        return responseFrom(await session.execute(command, call.principal));
      },
    }),
    sessionRoute(host, {
      method: "POST",
      path: "/sessions/{session_id}/commands",
      summary: "Send any command",
      body: Command,
      answers: { 201: infoShape, 202: acceptedShape },
      async handle(session, command, call) {
        const result = await session.execute(command, call.principal);
        return result.ok && result.value.forked
          ? json(201, result.value.forked)
          : responseFrom(result);
      },
    }),
    sessionRoute(host, {
      method: "POST",
      path: "/sessions/{session_id}/interrupt/{interrupt_id}",
      summary: "Answer a component that waits",
      body: commandSchemas.interrupt_response.pick({ value: true }),
      answers: { 202: acceptedShape },
      async handle(session, { value }, call) {
        const interrupt_id = call.params["interrupt_id"] ?? "";
        const command = native.commandFrom({ type: "interrupt_response", interrupt_id, value });
        if (!command.ok) return refused(command.error);
        return responseFrom(await session.execute(command.value, call.principal));
      },
    }),
    sessionRoute(host, {
      method: "POST",
      path: "/sessions/{session_id}/components",
      summary: "Let a component speak to the agent",
      body: commandSchemas.component_callback.omit({ type: true }),
      answers: { 202: acceptedShape },
      async handle(session, body, call) {
        const command: Command = { type: "component_callback", ...body };
        return responseFrom(await session.execute(command, call.principal));
      },
    }),
  ];
}
