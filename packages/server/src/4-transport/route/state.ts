import { commandSchemas, JsonValue } from "@turnwire/protocol";
import * as z from "zod";
import type { SessionHost } from "../../2-session/session-host.ts";
import { json } from "../answer.ts";
import { noBody, sessionRoute, type Route } from "../route.ts";
import { acceptedShape, answerFrom } from "./answer-shape.ts";

const SharedState = z.object({ seq: z.int(), state: JsonValue });
const Snapshot = z.object({ seq: z.int(), epoch: z.string(), state: JsonValue });

/** What a session has become: its shared state, and everything folded. */
export function stateRoutes(host: SessionHost): Route[] {
  return [
    sessionRoute(host, {
      method: "GET",
      path: "/sessions/{session_id}/state",
      summary: "Show the shared state",
      body: noBody,
      answers: { 200: { description: "The shared state at seq", schema: SharedState } },
      handle: (session) => json(200, { seq: session.control.seq, state: session.control.shared }),
    }),
    sessionRoute(host, {
      method: "PATCH",
      path: "/sessions/{session_id}/state",
      summary: "Patch the shared state",
      body: commandSchemas.state_patch.shape.patches,
      answers: { 202: acceptedShape },
      async handle(session, patches, call) {
        return answerFrom(await session.execute({ type: "state_patch", patches }, call.principal));
      },
    }),
    sessionRoute(host, {
      method: "GET",
      path: "/sessions/{session_id}/snapshot",
      summary: "Show the folded state; go on with the events after its seq",
      body: noBody,
      answers: { 200: { description: "The state at seq", schema: Snapshot } },
      handle: async (session) => json(200, await session.snapshot()),
    }),
  ];
}
