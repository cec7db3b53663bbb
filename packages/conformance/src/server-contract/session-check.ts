import assert from "node:assert/strict";
import { SessionInfo } from "@turnwire/protocol";
import type { Check } from "../check.ts";
import { createSession, readUntil, refused, request, type ServerSubject } from "./wire.ts";

/** Sessions as things, and refusals. */
export const sessionChecks: readonly Check<ServerSubject>[] = [
  {
    name: "answers GET /health without a credential",
    async run(subject) {
      const answer = await fetch(`${subject.url.replace(/\/+$/, "")}/health`);
      assert.equal(answer.status, 200);
    },
  },
  {
    name: "refuses a request without the token with 401 unauthorized",
    async run(subject) {
      const wrong = { authorization: "Bearer not-the-token-0123456789-abcdefghijkl" };
      await refused(await request(subject, "/sessions", { headers: wrong }), 401, "unauthorized");
    },
  },
  {
    name: "creates a session under the id it is given, once, shows it and lists it",
    async run(subject) {
      const session_id = `conformance-${crypto.randomUUID()}`;
      const json = { ...subject.session, session_id, title: "Conformance" };
      const created = await request(subject, "/sessions", { json });
      assert.equal(created.status, 201);
      const info = SessionInfo.parse(await created.json());
      assert.equal(info.session_id, session_id);
      await refused(await request(subject, "/sessions", { json }), 409, "session_exists");
      const shown = await request(subject, `/sessions/${session_id}`);
      assert.equal(SessionInfo.parse(await shown.json()).title, "Conformance");
      const listed = await (await request(subject, "/sessions?limit=1000")).text();
      assert.ok(listed.includes(session_id), "the list has the session");
    },
  },
  {
    name: "answers for a session that does not exist with 404 session_not_found, on every route",
    async run(subject) {
      for (const path of ["", "/events", "/snapshot", "/state"]) {
        const answer = await request(subject, `/sessions/no-such-session${path}`);
        await refused(answer, 404, "session_not_found");
      }
      const json = { message: "hello" };
      const sent = await request(subject, "/sessions/no-such-session/message", { json });
      await refused(sent, 404, "session_not_found");
    },
  },
  {
    name: "refuses what it cannot read with 400 invalid_request, and other content with 415",
    async run(subject) {
      const id = await createSession(subject);
      const path = `/sessions/${id}/message`;
      await refused(await request(subject, path, { json: {} }), 400, "invalid_request");
      const command = { type: "no_such_command" };
      const sent = await request(subject, `/sessions/${id}/commands`, { json: command });
      await refused(sent, 400, "invalid_request");
      const plain = { "content-type": "text/plain" };
      const other = await request(subject, path, { method: "POST", headers: plain, body: "hi" });
      assert.equal(other.status, 415);
    },
  },
  {
    name: "ends the log of a session that is deleted with session_closed, and the stream after it",
    async run(subject) {
      const id = await createSession(subject);
      const closed = readUntil(subject, id, { isLast: ({ type }) => type === "session_closed" });
      assert.equal((await request(subject, `/sessions/${id}`, { method: "DELETE" })).status, 204);
      assert.equal((await closed).at(-1)?.event.type, "session_closed");
      await refused(await request(subject, `/sessions/${id}`), 404, "session_not_found");
    },
  },
];
