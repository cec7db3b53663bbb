import type { Result } from "@turnwire/protocol";
import {
  type Accepted,
  type OpenSession,
  type CommandForm,
  type HttpResponse,
  refused,
  openSession,
  type Route,
} from "@turnwire/wire";
import type { SessionHost } from "../../3-host/session-host.ts";
import { responseFrom } from "./response-shape.ts";

interface CommandRouteOptions extends Pick<Route, "method" | "path" | "summary" | "answers"> {
  readonly path: `/sessions/{session_id}${string}`;
  /** How the dialect reads the body. */
  readonly form: CommandForm;
  /** What the command's outcome is answered with; by default 202 with its place in the log. */
  readonly respond?: (result: Result<Accepted>, session: OpenSession) => HttpResponse;
}

/** A route whose body the native dialect makes a command of. */
export function commandRoute(host: SessionHost, options: CommandRouteOptions): Route {
  const { form, respond = responseFrom, ...facts } = options;
  return {
    ...facts,
    ...(form.body && { body: form.body }),
    access: "operate",
    async handle(call) {
      const session = await openSession(host, call);
      if (!session.ok) return refused(session.error);
      const input = form.body ? await call.readJson() : { ok: true as const, value: undefined };
      if (!input.ok) return refused(input.error);
      const command = form.commandFrom(input.value, call.params);
      if (!command.ok) return refused(command.error);
      const result = await session.value.execute(command.value, call.principal);
      return respond(result, session.value);
    },
  };
}
