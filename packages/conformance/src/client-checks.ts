import assert from "node:assert/strict";
import type { SessionEvent } from "@turnwire/protocol";
import type { Check } from "./check.ts";
import { ClientProgram, type ClientCommand } from "./client-contract/client-program.ts";
import { openCuttingProxy, type CuttingProxy } from "./client-contract/cutting-proxy.ts";
import { outcomeOf } from "./client-contract/outcome.ts";
import { readLog, type ServerSubject } from "./server-contract/wire.ts";

/** A client program, and a server with the demo agent to try it on. */
export interface ClientSubject {
  readonly client: ClientCommand;
  readonly server: Pick<ServerSubject, "url" | "token">;
}

interface Trial {
  readonly client: ClientProgram;
  readonly proxy: CuttingProxy;
  readonly server: ServerSubject;
  readonly sessionId: string;
}

/** A check with a session of its own, which the client has created. */
function trial(name: string, run: (trial: Trial) => Promise<void>): Check<ClientSubject> {
  return {
    name,
    async run({ client: command, server }) {
      const proxy = await openCuttingProxy(new URL(server.url));
      const client = new ClientProgram(command, { url: proxy.url, token: server.token });
      try {
        const sessionId = `client-${crypto.randomUUID()}`;
        const created = await client.ask({ do: "create", session_id: sessionId });
        assert.deepEqual(created, { session_id: sessionId });
        await run({ client, proxy, server, sessionId });
      } finally {
        await client.close();
        await proxy.close();
      }
    },
  };
}

/** Where each stream is cut first; later ones carry more, so that every client gets through. */
const firstCuts = [0, 1, 40, 300, 900, 1500, 2500, 4000];
const MORE_PER_STREAM = 997;

/** Promises of every client of PROTOCOL.md, in any language; needs no test runner. */
export const clientChecks: readonly Check<ClientSubject>[] = [
  trial("creates a session, sends a message, follows the turn and folds it", async (it) => {
    await send(it, { text: "/tools", client_message_id: "first" });
    await follows(it, { after: 0, until: { type: "done", count: 1 } });
    await send(it, { text: "/markdown", client_message_id: "second" });
    await follows(it, { after: 0, until: { type: "done", count: 2 } });
  }),
  trial(
    "comes back after every cut of its stream and misses nothing, twice nothing",
    async (it) => {
      await send(it, { text: "/markdown", client_message_id: "first" });
      await send(it, { text: "/tools", client_message_id: "second" });
      for (const first of firstCuts) {
        it.proxy.cut((stream) => first + stream * MORE_PER_STREAM);
        await follows(it, { after: 0, until: { type: "done", count: 2 } });
        assert.ok(it.proxy.cuts > 0, `streams were cut after ${first} bytes`);
      }
    },
  ),
  trial("continues from a position in the middle, through cuts", async (it) => {
    await send(it, { text: "/subagents", client_message_id: "first" });
    await follows(it, { after: 0, until: { type: "done", count: 1 } });
    for (const after of [1, 2, 5, 9]) {
      it.proxy.cut((stream) => 40 + stream * MORE_PER_STREAM);
      await follows(it, { after, until: { type: "done", count: 1 } });
    }
  }),
  trial("sends a message again under its id, and learns that it is the same", async (it) => {
    const first = await send(it, { text: "/markdown", client_message_id: "once" });
    const again = await send(it, { text: "/markdown", client_message_id: "once" });
    assert.deepEqual(again, { ...first, duplicate: true });
    const other = await ask(it, { do: "send", text: "other words", client_message_id: "once" });
    assert.deepEqual(other, { error: { code: "idempotency_conflict" } });
  }),
  trial(
    "answers a permission request, sees how it ends, and that a second answer is refused",
    async (it) => {
      await send(it, { text: "/permission", client_message_id: "first" });
      const asked = await follows(it, {
        after: 0,
        until: { type: "permission_request", count: 1 },
      });
      const event = asked.at(-1);
      assert.ok(event?.type === "permission_request");
      const response = {
        do: "respond",
        correlation_id: event.data.correlation_id,
        behavior: "allow",
      } as const;
      const { seq } = (await ask(it, response)) as { seq?: unknown };
      assert.ok(Number.isInteger(seq) && Number(seq) > event.seq, "the answer has its seq");
      await follows(it, { after: 0, until: { type: "done", count: 1 } });
      assert.deepEqual(await ask(it, response), { error: { code: "already_resolved" } });
    },
  ),
  trial("reports refusals by their code", async (it) => {
    const until = { type: "done", count: 1 };
    assert.deepEqual(await ask(it, { do: "follow", after: 999_999, until }), {
      error: { code: "cursor_gone" },
    });
    const nowhere = { ...it, sessionId: "no-such-session" };
    assert.deepEqual(await ask(nowhere, { do: "follow", after: 0, until }), {
      error: { code: "session_not_found" },
    });
    const again = await it.client.ask({ do: "create", session_id: it.sessionId });
    assert.deepEqual(again, { error: { code: "session_exists" } });
  }),
];

type WithoutSession<Call> = Call extends unknown ? Omit<Call, "session_id"> : never;
type TrialCall = WithoutSession<Parameters<ClientProgram["ask"]>[0]>;

function ask({ client, sessionId }: Trial, call: TrialCall): Promise<unknown> {
  return client.ask({ ...call, session_id: sessionId });
}

async function send(
  it: Trial,
  message: { readonly text: string; readonly client_message_id: string },
): Promise<object> {
  const answer = (await ask(it, { do: "send", ...message })) as Record<string, unknown>;
  const sent = (await readLog(it.server, it.sessionId)).find(
    ({ type, data }) =>
      type === "user_message" && data.client_message_id === message.client_message_id,
  );
  assert.ok(sent?.type === "user_message", `the log has ${message.client_message_id}`);
  const { message_id } = sent.data;
  const { duplicate = false } = answer;
  assert.deepEqual({ ...answer, duplicate }, { seq: sent.seq, message_id, duplicate });
  return { seq: sent.seq, message_id, duplicate };
}

/** Has the client follow, and compares its outcome with ours over the same events. */
async function follows(
  it: Trial,
  how: {
    readonly after: number;
    readonly until: { readonly type: string; readonly count: number };
  },
): Promise<SessionEvent[]> {
  const outcome = await ask(it, { do: "follow", ...how });
  const log = (await readLog(it.server, it.sessionId)).slice(how.after);
  const ends = log.filter(({ type }) => type === how.until.type);
  const last = ends[how.until.count - 1];
  assert.ok(last, `the log has ${how.until.count} events of type ${how.until.type}`);
  const events = log.filter(({ seq }) => seq <= last.seq);
  assert.deepEqual(outcome, JSON.parse(JSON.stringify(outcomeOf(events))));
  return events;
}
