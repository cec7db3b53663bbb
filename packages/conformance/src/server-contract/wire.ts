import assert from "node:assert/strict";
import {
  createSseDecoder,
  SessionEvent,
  SessionInfo,
  WireErrorBody,
  type SseFrame,
} from "@turnwire/protocol";
import * as z from "zod";

/** A server to check: any address, with a token that may create sessions there. */
export interface ServerSubject {
  readonly url: string;
  readonly token: string;
  /** Options of each session. */
  readonly session?: Readonly<Record<string, unknown>>;
  /** Prompts that make the agent do it; by default those of the demo agent. */
  readonly prompts?: Partial<ServerPrompts>;
}

export interface ServerPrompts {
  /** An answer of several deltas. */
  readonly text: string;
  /** A tool use that asks first; null where the agent never asks. */
  readonly permission: string | null;
}

const demoPrompts: ServerPrompts = { text: "/markdown", permission: "/permission" };

const Accepted = z.object({
  accepted: z.literal(true),
  seq: z.int(),
  message_id: z.string().optional(),
  duplicate: z.boolean().optional(),
});
export type Accepted = z.infer<typeof Accepted>;

const EventPage = z.object({
  events: z.array(SessionEvent),
  epoch: z.string(),
  head: z.int(),
  next: z.int().optional(),
});

/** A frame of a stream with the event in it. */
export interface ReadEvent {
  readonly frame: SseFrame;
  readonly event: SessionEvent;
}

export function promptsOf(subject: ServerSubject): ServerPrompts {
  return { ...demoPrompts, ...subject.prompts };
}

/** A request with the token; a body goes as JSON. */
export function request(
  { url, token }: ServerSubject,
  path: string,
  { json, headers, ...init }: RequestInit & { readonly json?: unknown } = {},
): Promise<Response> {
  const all = new Headers(headers);
  if (!all.has("authorization")) all.set("authorization", `Bearer ${token}`);
  const target = `${url.replace(/\/+$/, "")}${path}`;
  if (json === undefined) return fetch(target, { ...init, headers: all });
  all.set("content-type", "application/json");
  return fetch(target, { method: "POST", ...init, headers: all, body: JSON.stringify(json) });
}

export async function createSession(subject: ServerSubject): Promise<string> {
  const answer = await request(subject, "/sessions", { json: subject.session ?? {} });
  assert.equal(answer.status, 201, "POST /sessions answers 201");
  return SessionInfo.parse(await answer.json()).session_id;
}

/** Sends a command that must be accepted. */
export async function post(subject: ServerSubject, path: string, json: unknown): Promise<Accepted> {
  const answer = await request(subject, path, { json });
  const body: unknown = await answer.json();
  assert.equal(answer.status, 202, `POST ${path} answers 202, not ${JSON.stringify(body)}`);
  return Accepted.parse(body);
}

/** A request that must be refused, with this status and code, in the one shape of errors. */
export async function refused(
  answer: Response,
  status: number,
  code: string,
): Promise<WireErrorBody["error"]> {
  const { error, detail } = WireErrorBody.parse(await answer.json());
  assert.deepEqual({ status: answer.status, code: error.code }, { status, code });
  assert.equal(detail, error.message, "detail repeats the message");
  return error;
}

/** Reads a session's stream after a seq until an event; then lets go of the connection. */
export async function readUntil(
  subject: ServerSubject,
  sessionId: string,
  options: {
    readonly after?: number;
    readonly headers?: Record<string, string>;
    readonly isLast: (event: SessionEvent) => boolean;
  },
): Promise<ReadEvent[]> {
  const { after = 0, headers = {}, isLast } = options;
  const abort = new AbortController();
  const answer = await request(subject, `/sessions/${sessionId}/events?after=${after}`, {
    headers: { accept: "text/event-stream", ...headers },
    signal: abort.signal,
  });
  assert.equal(answer.status, 200, "the stream answers 200");
  assert.match(answer.headers.get("content-type") ?? "", /^text\/event-stream/);
  assert.ok(answer.body, "the stream has a body");
  const decoder = createSseDecoder();
  const text = new TextDecoder();
  const read: ReadEvent[] = [];
  try {
    for await (const chunk of answer.body) {
      for (const frame of decoder.push(text.decode(chunk, { stream: true }))) {
        const event = SessionEvent.parse(JSON.parse(frame.data));
        read.push({ frame, event });
        if (isLast(event)) return read;
      }
    }
  } finally {
    abort.abort();
  }
  throw new Error(`the stream ended after event ${read.at(-1)?.event.seq ?? after}`);
}

/** The whole log, page by page. */
export async function readLog(subject: ServerSubject, sessionId: string): Promise<SessionEvent[]> {
  const events: SessionEvent[] = [];
  let next: number | undefined = 0;
  while (next !== undefined) {
    const path = `/sessions/${sessionId}/events?after=${next}`;
    const answer = await request(subject, path, { headers: { accept: "application/json" } });
    assert.equal(answer.status, 200, "a page answers 200");
    const page = EventPage.parse(await answer.json());
    events.push(...page.events);
    next = page.next;
  }
  return events;
}

/** A session in which a turn has run to its end. */
export async function sessionWithTurn(subject: ServerSubject): Promise<string> {
  const id = await createSession(subject);
  await post(subject, `/sessions/${id}/message`, { message: promptsOf(subject).text });
  await readUntil(subject, id, { isLast: ({ type }) => type === "done" });
  return id;
}
