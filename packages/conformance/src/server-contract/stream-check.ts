import assert from "node:assert/strict";
import { checkGrammar, foldAll, initialState } from "@turnwire/protocol";
import type { Check } from "../check.ts";
import {
  createSession,
  post,
  promptsOf,
  readLog,
  readUntil,
  refused,
  request,
  sessionWithTurn,
  type ServerSubject,
} from "./wire.ts";

/** The log and its streams. */
export const streamChecks: readonly Check<ServerSubject>[] = [
  {
    name: "streams a turn live: one frame per event, its seq as id, gapless from 1, by the grammar",
    async run(subject) {
      const id = await createSession(subject);
      const reading = readUntil(subject, id, { isLast: ({ type }) => type === "done" });
      await post(subject, `/sessions/${id}/message`, { message: promptsOf(subject).text });
      const read = await reading;
      for (const [index, { frame, event }] of read.entries()) {
        assert.equal(event.seq, index + 1, "seq is gapless");
        assert.equal(frame.id, String(event.seq), "the id is the seq");
        assert.equal(frame.event, event.type, "the name is the type");
      }
      const events = read.map(({ event }) => event);
      assert.deepEqual(checkGrammar(events), []);
      const logged = await readLog(subject, id);
      assert.deepEqual(events, logged.slice(0, events.length), "live equals replay");
    },
  },
  {
    name: "continues after every position with exactly the events that follow it",
    async run(subject) {
      const id = await sessionWithTurn(subject);
      const log = await readLog(subject, id);
      const head = log.length;
      for (let after = 0; after < head; after += 1) {
        const byHeader = after % 2 === 0;
        const read = await readUntil(subject, id, {
          ...(byHeader ? { headers: { "last-event-id": String(after) } } : { after }),
          isLast: ({ seq }) => seq === head,
        });
        assert.deepEqual(
          read.map(({ event }) => event),
          log.slice(after),
          `what follows ${after}`,
        );
      }
    },
  },
  {
    name: "gives its verdict before any data: 412 beyond the log or in another epoch, 400 for no number",
    async run(subject) {
      const id = await createSession(subject);
      const path = `/sessions/${id}/events`;
      const beyond = await refused(
        await request(subject, `${path}?after=999999`),
        412,
        "cursor_gone",
      );
      assert.deepEqual(Object.keys(beyond.details ?? {}).toSorted(), ["epoch", "head", "oldest"]);
      const foreign = await request(subject, `${path}?after=0&epoch=another`);
      await refused(foreign, 412, "cursor_gone");
      for (const after of ["-1", "01", "1.5", "x"]) {
        await refused(await request(subject, `${path}?after=${after}`), 400, "invalid_cursor");
      }
    },
  },
  {
    name: "has a snapshot that is the fold of the log up to its seq",
    async run(subject) {
      const id = await sessionWithTurn(subject);
      const answer = await request(subject, `/sessions/${id}/snapshot`);
      assert.equal(answer.status, 200);
      const { seq, state } = (await answer.json()) as { seq: number; state: unknown };
      const log = await readLog(subject, id);
      const folded = foldAll(initialState(), log.slice(0, seq));
      assert.deepEqual(state, JSON.parse(JSON.stringify(folded)));
    },
  },
];
