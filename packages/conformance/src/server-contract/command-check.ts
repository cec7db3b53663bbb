import assert from "node:assert/strict";
import type { SessionEvent } from "@turnwire/protocol";
import type { Check } from "../check.ts";
import {
  createSession,
  post,
  promptsOf,
  readLog,
  readUntil,
  refused,
  request,
  type ServerSubject,
} from "./wire.ts";

/** Messages, answers and commands. */
export const commandChecks: readonly Check<ServerSubject>[] = [
  {
    name: "takes a message once, however often it is sent under one client_message_id",
    async run(subject) {
      const id = await createSession(subject);
      const path = `/sessions/${id}/message`;
      const json = { message: promptsOf(subject).text, client_message_id: "once" };
      const first = await post(subject, path, json);
      const again = await post(subject, path, json);
      assert.deepEqual(
        { message_id: again.message_id, duplicate: again.duplicate },
        { message_id: first.message_id, duplicate: true },
      );
      const other = await request(subject, path, { json: { ...json, message: "other words" } });
      await refused(other, 409, "idempotency_conflict");
      await readUntil(subject, id, { isLast: ({ type }) => type === "done" });
      assert.equal(countOf(await readLog(subject, id), "user_message"), 1);
    },
  },
  {
    name: "has what it accepted in the log, at the seq it answered with",
    async run(subject) {
      const id = await createSession(subject);
      const { seq, message_id } = await post(subject, `/sessions/${id}/message`, {
        message: [{ type: "text", text: promptsOf(subject).text }],
      });
      const event = (await readLog(subject, id))[seq - 1];
      assert.equal(event?.type, "user_message");
      assert.equal(event.data.message_id, message_id);
    },
  },
  {
    name: "stops: harmless when idle",
    async run(subject) {
      const id = await createSession(subject);
      const answer = await request(subject, `/sessions/${id}/stop`, { method: "POST" });
      assert.equal(answer.status, 202);
    },
  },
  {
    name: "lets a permission request be answered once; the turn then ends; a second answer is 409",
    async run(subject) {
      const { permission } = promptsOf(subject);
      if (permission === null) return;
      const id = await createSession(subject);
      await post(subject, `/sessions/${id}/message`, { message: permission });
      const asked = await readUntil(subject, id, {
        isLast: ({ type }) => type === "permission_request",
      });
      const request_ = asked.at(-1)?.event;
      assert.ok(request_?.type === "permission_request");
      const { correlation_id } = request_.data;
      const json = { type: "permission_response", correlation_id, behavior: "allow" };
      const path = `/sessions/${id}/commands`;
      await post(subject, path, json);
      const rest = await readUntil(subject, id, {
        after: request_.seq,
        isLast: ({ type }) => type === "done",
      });
      const resolved = rest.map(({ event }) => event).find(isResolutionOf(correlation_id));
      assert.ok(resolved, "the request is resolved before the turn is done");
      await refused(await request(subject, path, { json }), 409, "already_resolved");
      const unknown = { ...json, correlation_id: "no-such-request" };
      await refused(await request(subject, path, { json: unknown }), 404, "request_not_found");
    },
  },
];

function countOf(events: readonly SessionEvent[], type: SessionEvent["type"]): number {
  return events.filter((event) => event.type === type).length;
}

function isResolutionOf(correlationId: string): (event: SessionEvent) => boolean {
  return ({ type, data }) =>
    type === "permission_resolved" &&
    data.correlation_id === correlationId &&
    data.outcome === "answered" &&
    data.allowed;
}
