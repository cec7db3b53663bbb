import { jsonSize, JsonValue, limits, SessionState, wireError } from "@turnwire/protocol";
import * as z from "zod";
import type { SessionHost } from "../../3-host/session-host.ts";
import {
  commandForm,
  type HttpResponse,
  json,
  refused,
  noBody,
  sessionRoute,
  type Route,
} from "@turnwire/wire";
import { commandRoute } from "./command-route.ts";
import { acceptedShape } from "./response-shape.ts";

const SharedState = z.object({ seq: z.int(), version: z.int(), state: JsonValue });
const Snapshot = z.object({ seq: z.int(), epoch: z.string(), state: SessionState });

/** What a session has become: its shared state, and everything folded. */
export function stateRoutes(host: SessionHost): Route[] {
  return [
    sessionRoute(host, {
      method: "GET",
      path: "/sessions/{session_id}/state",
      summary: "Show the shared state",
      body: noBody,
      answers: { 200: { description: "The shared state at seq", schema: SharedState } },
      handle: ({ control: { seq, shared: state, shared_version: version } }) =>
        json(200, { seq, version, state }),
    }),
    commandRoute(host, {
      method: "PATCH",
      path: "/sessions/{session_id}/state",
      summary: "Patch the shared state",
      form: commandForm.statePatch,
      answers: { 202: acceptedShape },
    }),
    commandRoute(host, {
      method: "PUT",
      path: "/sessions/{session_id}/components/{component_id}",
      summary: "Show, change or move a component",
      form: commandForm.showComponent,
      answers: { 202: acceptedShape },
    }),
    commandRoute(host, {
      method: "DELETE",
      path: "/sessions/{session_id}/components/{component_id}",
      summary: "Remove a component",
      form: commandForm.removeComponent,
      answers: { 202: acceptedShape },
    }),
    commandRoute(host, {
      method: "PUT",
      path: "/sessions/{session_id}/interrupt/{interrupt_id}",
      summary: "Show a component and wait for its answer",
      form: commandForm.ask,
      answers: { 202: acceptedShape },
    }),
    sessionRoute(host, {
      method: "GET",
      path: "/sessions/{session_id}/snapshot",
      summary: "Show the folded state; continue with the events after its seq",
      body: noBody,
      answers: { 200: { description: "The state at seq", schema: Snapshot } },
      handle: async (session) => snapshotAnswer(await session.snapshot()),
    }),
  ];
}

/** A larger answer would hold up all other requests, and may be too long for one string. */
function snapshotAnswer(snapshot: object): HttpResponse {
  const { text } = jsonSize(snapshot);
  if (text <= limits.snapshotBytes) return json(200, snapshot);
  const message = `The state of this session is larger than ${limits.snapshotBytes} bytes: follow its events from the beginning instead.`;
  return refused(
    wireError("payload_too_large", message, { bytes: text, limit: limits.snapshotBytes }),
  );
}
