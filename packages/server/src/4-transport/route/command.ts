import { Command } from "@turnwire/protocol";
import type { SessionHost } from "../../3-host/session-host.ts";
import { commandForm, json, refused, openSession, type Route } from "@turnwire/wire";
import { commandRoute } from "./command-route.ts";
import { DialectQuery, dialectFrom } from "./dialect-query.ts";
import { acceptedShape, responseFrom, infoShape } from "./response-shape.ts";

/** Ways to say something to a session: messages, answers, any command. */
export function commandRoutes(host: SessionHost): Route[] {
  return [
    commandRoute(host, {
      method: "POST",
      path: "/sessions/{session_id}/message",
      summary: "Send a message",
      form: commandForm.message,
      answers: { 202: acceptedShape },
    }),
    commandRoute(host, {
      method: "POST",
      path: "/sessions/{session_id}/steer",
      summary: "Send a message into the running turn",
      form: commandForm.steer,
      answers: { 202: acceptedShape },
    }),
    {
      method: "POST",
      path: "/sessions/{session_id}/commands",
      summary: "Send any command, or what a dialect has for it",
      access: "operate",
      query: DialectQuery,
      body: Command,
      answers: { 201: infoShape, 202: acceptedShape },
      async handle(call) {
        const session = await openSession(host, call);
        if (!session.ok) return refused(session.error);
        const dialect = dialectFrom(call.query);
        if (!dialect.ok) return refused(dialect.error);
        const input = await call.readJson();
        if (!input.ok) return refused(input.error);
        const { control } = session.value;
        const command = dialect.value.commandFrom(input.value, control);
        if (!command.ok) return refused(command.error);
        const result = await session.value.execute(command.value, call.principal);
        return result.ok && result.value.forked
          ? json(201, result.value.forked)
          : responseFrom(result);
      },
    },
    commandRoute(host, {
      method: "POST",
      path: "/sessions/{session_id}/interrupt/{interrupt_id}",
      summary: "Answer an interrupt",
      form: commandForm.interruptResponse,
      answers: { 202: acceptedShape },
    }),
    commandRoute(host, {
      method: "POST",
      path: "/sessions/{session_id}/components",
      summary: "Report what a person did in a component",
      form: commandForm.componentCallback,
      answers: { 202: acceptedShape },
    }),
  ];
}
