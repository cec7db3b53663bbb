import { accepted, fold, type SessionState, textOf, validate } from "@turnwire/protocol";
import {
  jsonFromBytes,
  noBody,
  openSession,
  reaching,
  sessionRoute,
  type StatefulDialect,
  type Wire,
} from "@turnwire/wire";
import * as z from "zod";

const Input = z.object({ text: z.string().min(1) });

/** The conversation so far: one line of JSON for each message, by its id. */
function linesOf({ messages }: SessionState): Map<string, string> {
  const said = messages.filter((message) => message.role === "user" || message.done);
  const lines = said.map((message) => {
    const { id, role: who } = message;
    return [id, JSON.stringify({ id, who, text: textOf(message) })] as const;
  });
  return new Map(lines);
}

const frame = (data: string) => ({ name: "line", data });

/** The language: a line when a message is complete, and one without text when it was taken back. */
export const lines: StatefulDialect = {
  type: "stateful",
  name: "lines",
  frames(before, event) {
    const known = linesOf(before);
    const now = linesOf(fold(before, event));
    const added = [...now].flatMap(([id, line]) => (known.get(id) === line ? [] : line));
    const gone = [...known.keys()].filter((id) => !now.has(id));
    return [...added, ...gone.map((id) => JSON.stringify({ id }))].map(frame);
  },
  opening: (state) => [...linesOf(state).values()].map(frame),
  commandFrom(input) {
    const said = validate(Input, input);
    return said.ok ? accepted({ type: "user_message", content: said.value.text }) : said;
  },
};

/** The wire: a route to follow what is said, and a socket that also takes messages. */
export function lineWire(): Wire {
  return {
    name: "lines",
    routes: ({ host, stream }) => [
      sessionRoute(host, {
        method: "GET",
        path: "/sessions/{session_id}/lines",
        summary: "Follow what is said",
        body: noBody,
        answers: { 200: { description: "Lines, then live", contentType: "text/event-stream" } },
        handle: (session, _body, call) => stream(call, { session, dialect: lines }),
      }),
    ],
    sockets: ({ host }) => [
      {
        path: "/lines/{session_id}",
        summary: "Follow and talk over one WebSocket",
        access: "read",
        prepare: (call) =>
          accepted(async (peer) => {
            const found = await openSession(host, call);
            if (!found.ok) return peer.close("unknownSession", found.error.message);
            const session = found.value;
            const connection = peer.connect({
              check: reaching(session),
              async receive(bytes) {
                const done = await connection.act(async (principal) => {
                  const input = jsonFromBytes(bytes);
                  if (!input.ok) return input;
                  const command = lines.commandFrom(input.value, session.control);
                  return command.ok ? session.execute(command.value, principal) : command;
                });
                if (done?.ok === false) connection.send(JSON.stringify({ error: done.error }));
              },
            });
            const { seq: after, state } = await session.snapshot();
            connection.sendOpening(lines.opening(state).map(({ data }) => data));
            const onEnd = () => connection.close("released");
            connection.follow({ session, after, dialect: lines, onEnd });
          }),
      },
    ],
  };
}
