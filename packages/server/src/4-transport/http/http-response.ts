import { STATUS_CODES, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { wireError, type WireError } from "@turnwire/protocol";
import { damagedError, StoreError } from "@turnwire/log";
import type { HttpResponse } from "@turnwire/wire";
import { RuntimeError } from "@turnwire/runtime";

export function html(status: number, text: string, policy: string): HttpResponse {
  const headers = {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": policy,
  };
  return { status, headers, body: text };
}

/** The one way from any thrown thing to the wire: only codes that we gave ourselves are exposed. */
export function wireErrorFrom(error: unknown): WireError {
  if (error instanceof StoreError) {
    switch (error.code) {
      case "session_unknown":
        return wireError("session_not_found", "There is no such session.");
      case "attachment_unknown":
        return wireError("not_found", "The session has no such attachment.");
      case "session_exists":
        return wireError("session_exists", "A session with this id exists already.");
      case "lease_lost":
      case "locked":
      case "unavailable":
        return wireError("store_unavailable", "The store cannot be reached now; try again.");
      case "damaged":
        return damagedError(error.range);
      case "not_contiguous":
      case "input_exists":
      case "entry_answered":
      case "schema_too_new":
      case "corrupt":
        break;
    }
  }
  if (error instanceof RuntimeError && error.code === "invalid_input") {
    return wireError("invalid_request", error.message);
  }
  if (error instanceof RuntimeError && error.code === "conversation_missing") {
    return wireError("workspace_unavailable", error.message);
  }
  if (error instanceof RuntimeError) {
    return wireError("runtime_unavailable", "The agent could not be started.");
  }
  return wireError("internal", "Something went wrong on the server.");
}

/** On every answer: nothing is sniffed, framed, cached or revealed to other sites. */
export const securityHeaders: Readonly<Record<string, string>> = {
  "x-content-type-options": "nosniff",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "x-frame-options": "DENY",
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "same-origin",
};

/** Answers without a router, for requests that get no further. */
export function sendResponse(outgoing: ServerResponse, answer: HttpResponse): void {
  const length = answer.body === null ? 0 : Buffer.byteLength(answer.body);
  outgoing.writeHead(answer.status, { ...answer.headers, "content-length": length });
  outgoing.end(answer.body ?? undefined);
}

/** Answers an upgrade that is refused: there is no response object then, only the socket. */
export function sendOnSocket(socket: Socket, answer: HttpResponse): void {
  const body = answer.body ?? "";
  const headers = {
    ...securityHeaders,
    ...answer.headers,
    connection: "close",
    "content-length": String(Buffer.byteLength(body)),
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const status = `HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status] ?? ""}\r\n`;
  socket.end(`${status}${lines.join("")}\r\n${body}`);
}
