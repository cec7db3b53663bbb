import type { IncomingMessage, ServerResponse } from "node:http";
import { AttachmentDigest, limits, wireError } from "@turnwire/protocol";
import type { ByteRange, ReadableLog, StoredAttachment } from "@turnwire/log";
import type { SessionHost } from "../../3-host/session-host.ts";
import { TAKEN, empty, refused, noBody, sessionRoute, type Route } from "@turnwire/wire";
import { rangeFrom } from "../http/byte-range.ts";

/** Read and written in one go: what a slow reader holds in memory. */
const STEP_BYTES = 256 * 1024;

/** The types that a browser may be given; everything else is bytes to save. */
const contentTypes: Readonly<Record<string, { readonly type: string; readonly isShown: boolean }>> =
  {
    "image/png": { type: "image/png", isShown: true },
    "image/jpeg": { type: "image/jpeg", isShown: true },
    "image/gif": { type: "image/gif", isShown: true },
    "image/webp": { type: "image/webp", isShown: true },
    "text/plain": { type: "text/plain; charset=utf-8", isShown: true },
    "application/json": { type: "application/json", isShown: false },
    "application/pdf": { type: "application/pdf", isShown: false },
  };
const unknownType = { type: "application/octet-stream", isShown: false };

/** What events name and is stored beside the log. */
export function attachmentRoutes(host: SessionHost): Route[] {
  return [
    sessionRoute(host, {
      method: "GET",
      path: "/sessions/{session_id}/attachments/{digest}",
      summary: "Read a payload that an event names, whole or a range of it",
      body: noBody,
      answers: {
        200: { description: "The payload", contentType: "application/octet-stream" },
        206: { description: "A range of it", contentType: "application/octet-stream" },
        304: { description: "The client has it already" },
        416: { description: "The range is outside of it" },
      },
      async handle(session, _body, { params, incoming, outgoing }) {
        const digest = AttachmentDigest.safeParse(params["digest"]);
        const found = digest.success && (await session.log.findAttachment(digest.data));
        if (!found) {
          return refused(wireError("not_found", "The session has no such attachment."));
        }
        const headers = headersFor(found);
        if (incoming.headers["if-none-match"] === headers["etag"]) return empty(304, headers);
        const wish = rangeFrom(wantedRange(incoming, headers["etag"]), found.size);
        if (wish.type === "unsatisfiable") {
          return empty(416, { "content-range": `bytes */${found.size}` });
        }
        const range = wish.type === "part" ? wish.range : { start: 0, end: found.size };
        outgoing.writeHead(wish.type === "part" ? 206 : 200, {
          ...headers,
          "content-length": String(range.end - range.start),
          ...(wish.type === "part" && {
            "content-range": `bytes ${range.start}-${range.end - 1}/${found.size}`,
          }),
        });
        if (incoming.method === "HEAD") outgoing.end();
        else await send(outgoing, session.log, { digest: found.digest, range });
        return TAKEN;
      },
    }),
  ];
}

/** A part is of use only beside the same whole. */
function wantedRange({ headers }: IncomingMessage, etag: string | undefined): string | undefined {
  const condition = headers["if-range"];
  return condition === undefined || condition === etag ? headers.range : undefined;
}

/** Nothing in it may run, be framed or be taken for something else: an agent or a stranger wrote it. */
function headersFor({ digest, mediaType }: StoredAttachment): Readonly<Record<string, string>> {
  const { type, isShown } = contentTypes[mediaType] ?? unknownType;
  return {
    "content-type": type,
    "content-disposition": isShown ? "inline" : `attachment; filename="${digest.slice(0, 19)}"`,
    "content-security-policy": "sandbox; default-src 'none'; frame-ancestors 'none'",
    "accept-ranges": "bytes",
    etag: `"${digest}"`,
    "cache-control": "private, max-age=31536000, immutable",
  };
}

interface Sending {
  readonly digest: string;
  readonly range: ByteRange;
}

async function send(outgoing: ServerResponse, log: ReadableLog, sending: Sending): Promise<void> {
  const { digest, range } = sending;
  outgoing.setTimeout(limits.attachmentStallMs, () => outgoing.destroy());
  try {
    for (let start = range.start; start < range.end; start += STEP_BYTES) {
      const end = Math.min(range.end, start + STEP_BYTES);
      const bytes = await log.readAttachment(digest, { start, end });
      if (!outgoing.write(bytes)) await drained(outgoing);
      if (outgoing.destroyed) return;
    }
    outgoing.end();
  } catch (error) {
    // The headers are out: only a broken connection still says that something is missing.
    outgoing.destroy();
    throw error;
  }
}

function drained(outgoing: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const settle = (): void => {
      outgoing.off("drain", settle);
      outgoing.off("close", settle);
      resolve();
    };
    outgoing.on("drain", settle);
    outgoing.on("close", settle);
    if (outgoing.destroyed) settle();
  });
}
