import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import {
  applyJsonPatch,
  wireError,
  wireErrorStatus,
  type Command,
  type CommandOf,
  type SessionEvent,
  type SessionInfo,
  type WireError,
} from "@turnwire/protocol";
import {
  done,
  permissionResolved,
  userMessage,
  toolCallClaimed,
  toolCallResolved,
} from "./sample-event.ts";
import { ScriptedSession } from "./scripted-session.ts";

/** The fault of one request, in place of its answer or after it. */
export type Fault =
  | { readonly type: "drop_before" }
  | { readonly type: "drop_after" }
  | { readonly type: "hang" }
  | {
      readonly type: "answer";
      readonly status: number;
      readonly body?: string;
      readonly headers?: Record<string, string>;
    };

export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage["headers"];
  readonly body: unknown;
}

/** Speaks the part of PROTOCOL.md that the client needs, over real HTTP, and fails where a test says. */
export class ScriptedServer {
  readonly token = "secret";
  readonly seen: SeenRequest[] = [];
  /** Taken one a request by the end of its path, in order. */
  readonly faults: { readonly path: string; readonly fault: Fault }[] = [];
  readonly #sessions = new Map<string, ScriptedSession>();
  readonly #server = createServer((request, response) => {
    this.#serve(request, response).catch((error: unknown) => response.destroy(error as Error));
  });

  static async start(): Promise<ScriptedServer> {
    const server = new ScriptedServer();
    server.#server.listen(0, "127.0.0.1");
    await once(server.#server, "listening");
    return server;
  }

  get url(): string {
    const { port } = this.#server.address() as AddressInfo;
    return `http://127.0.0.1:${port}`;
  }

  addSession(id: string, events: readonly SessionEvent[] = []): ScriptedSession {
    const session = new ScriptedSession(id, events);
    this.#sessions.set(id, session);
    return session;
  }

  /** The next requests to a path meet these faults. */
  fail(path: string, ...faults: Fault[]): void {
    this.faults.push(...faults.map((fault) => ({ path, fault })));
  }

  seenAt(path: string): SeenRequest[] {
    return this.seen.filter((request) => request.path.endsWith(path));
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const seen = await readRequest(request);
    this.seen.push(seen);
    const fault = this.#takeFault(seen.path);
    if (fault?.type === "hang") return;
    if (fault?.type === "drop_before") {
      response.destroy();
      return;
    }
    if (fault?.type === "answer") {
      response.writeHead(fault.status, fault.headers).end(fault.body);
      return;
    }
    if (request.headers.authorization !== `Bearer ${this.token}`) {
      refuse(response, wireError("unauthorized", "No valid token."));
      return;
    }
    this.#route(seen, fault?.type === "drop_after" ? deaf(response) : response);
  }

  #takeFault(path: string): Fault | undefined {
    const index = this.faults.findIndex((planned) => path.endsWith(planned.path));
    return index < 0 ? undefined : this.faults.splice(index, 1)[0]?.fault;
  }

  #route(seen: SeenRequest, response: ServerResponse): void {
    const [root, id = "", route = ""] = seen.path.split("/").slice(1).map(decodeURIComponent);
    if (root !== "sessions" || id === "") {
      answer(response, 200, { seen: { ...seen, query: String(seen.query) } });
      return;
    }
    const session = this.#sessions.get(id);
    if (!session) {
      refuse(response, wireError("session_not_found", "There is no such session."));
      return;
    }
    const key = `${seen.method} ${route}`;
    const serve = routes[key];
    if (serve) serve(session, seen, response);
    else answer(response, 200, infoOf(session));
  }
}

type Route = (session: ScriptedSession, seen: SeenRequest, response: ServerResponse) => void;

const routes: Readonly<Record<string, Route>> = {
  "GET events": (session, { headers, query }, response) => {
    const after = Number(headers["last-event-id"] ?? query.get("after") ?? 0);
    if (session.canServe(after, query.get("epoch"))) {
      session.stream(response, after);
      return;
    }
    const details = { oldest: session.trimmed + 1, head: session.head, epoch: session.epoch };
    refuse(response, wireError("cursor_gone", "That place in the log is gone.", details));
  },
  "GET snapshot": (session, _seen, response) => {
    const { head: seq, epoch, state } = session;
    answer(response, 200, { seq, epoch, state });
  },
  "POST message": (session, { body }, response) => {
    const { message, client_message_id: id } = body as {
      message: string;
      client_message_id: string;
    };
    const known = session.inputs.get(id);
    if (known && known.text !== message) {
      refuse(response, wireError("idempotency_conflict", "The same id with other words."));
      return;
    }
    const seq = known?.seq ?? session.append(userMessage(message, id)).at(-1)?.seq ?? 0;
    session.inputs.set(id, { text: message, seq });
    const duplicate = known ? { duplicate: true } : {};
    answer(response, 202, { accepted: true, message_id: `m-${message}`, seq, ...duplicate });
  },
  "POST commands": (session, { body }, response) => {
    const command = body as Command;
    if (isLate(session, command)) {
      refuse(response, wireError("already_resolved", "Somebody answered before."));
      return;
    }
    if (command.type === "state_patch") {
      patchState(session, command, response);
      return;
    }
    if (command.type === "tool_call_claim" && isClaimedByOther(session, command)) {
      refuse(response, wireError("already_claimed", "Another page performs it."));
      return;
    }
    if (command.type === "tool_call_claim") {
      session.append(toolCallClaimed(command.correlation_id, command.claim_id));
    }
    if (command.type === "permission_response") {
      session.append(permissionResolved(command.correlation_id));
    }
    if (command.type === "tool_call_response") {
      session.append(toolCallResolved(command.correlation_id));
    }
    answer(response, 202, { accepted: true, seq: session.head });
  },
  "POST stop": (session, _seen, response) => {
    answer(response, 202, { accepted: true });
    const { turn } = session.state;
    if (turn) session.append(done(turn.turn_id));
  },
  "DELETE ": (_session, _seen, response) => {
    response.writeHead(204).end();
  },
};

function isLate({ state }: ScriptedSession, command: Command): boolean {
  return "correlation_id" in command && command.correlation_id in state.outcomes;
}

function patchState(
  session: ScriptedSession,
  { patches, base_version, client_patch_id = "" }: CommandOf<"state_patch">,
  response: ServerResponse,
): void {
  session.append(...(session.races.shift() ?? []));
  const { shared, shared_version: version } = session.state;
  const known = session.inputs.get(client_patch_id);
  if (known) {
    answer(response, 202, { accepted: true, seq: known.seq, duplicate: true });
  } else if (base_version !== version) {
    refuse(response, wireError("stale_state", "Made for another version.", { version }));
  } else if (applyJsonPatch(shared, patches).ok) {
    const data = { patches, client_patch_id, version: version + 1 };
    const [event] = session.append({ type: "state_delta", data });
    session.inputs.set(client_patch_id, { text: "", seq: event?.seq ?? 0 });
    answer(response, 202, { accepted: true, seq: event?.seq ?? 0 });
  } else {
    refuse(response, wireError("invalid_request", "The patch does not apply."));
  }
}

/** Here a claim never runs out. */
function isClaimedByOther({ state }: ScriptedSession, command: CommandOf<"tool_call_claim">) {
  const request = state.requests[command.correlation_id];
  const claim = request?.type === "tool_call_request" ? request.claim : undefined;
  return claim !== undefined && claim.claim_id !== command.claim_id;
}

function infoOf({ id, head, epoch }: ScriptedSession): SessionInfo {
  const at = "2026-11-15T09:00:00.000Z";
  return {
    session_id: id,
    protocol_version: "1.0",
    runtime: "demo",
    status: "live",
    activity: "idle",
    created_at: at,
    updated_at: at,
    head,
    epoch,
  };
}

function answer(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

function refuse(response: ServerResponse, error: WireError): void {
  answer(response, wireErrorStatus[error.code], { error, detail: error.message });
}

/** The request is served, but its answer is lost on the way. */
function deaf(response: ServerResponse): ServerResponse {
  response.writeHead = () => response;
  response.end = () => response.destroy();
  return response;
}

async function readRequest(request: IncomingMessage): Promise<SeenRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString();
  const url = new URL(request.url ?? "/", "http://server");
  return {
    method: request.method ?? "GET",
    path: url.pathname,
    query: url.searchParams,
    headers: request.headers,
    body: text === "" ? undefined : JSON.parse(text),
  };
}
