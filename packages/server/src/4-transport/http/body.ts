import type { IncomingMessage } from "node:http";
import { type Clock, startTimer } from "@turnwire/base";
import { accepted, rejected, type Result } from "@turnwire/protocol";
import { jsonFromBytes } from "@turnwire/wire";

export interface BodyLimits {
  readonly maxBytes: number;
  readonly timeoutMs: number;
  readonly clock: Clock;
}

export function hasBody(incoming: IncomingMessage): boolean {
  const length = incoming.headers["content-length"];
  return (
    incoming.headers["transfer-encoding"] !== undefined || (length !== undefined && length !== "0")
  );
}

/** The body as JSON. A request without body and without content type counts as `{}`. */
export async function readJson(
  incoming: IncomingMessage,
  limits: BodyLimits,
): Promise<Result<unknown>> {
  if (!hasBody(incoming) && incoming.headers["content-type"] === undefined) return accepted({});
  const bytes = incoming.readableEnded
    ? bytesReadBefore(incoming)
    : await readBytes(incoming, limits);
  return bytes.ok ? jsonFromBytes(bytes.value) : bytes;
}

/** Where the server is mounted, a parser may have read the body and left it in `body`. */
function bytesReadBefore(incoming: IncomingMessage & { body?: unknown }): Result<Buffer> {
  const { body } = incoming;
  if (Buffer.isBuffer(body)) return accepted(body);
  if (typeof body === "string") return accepted(Buffer.from(body));
  if (body !== undefined) return accepted(Buffer.from(JSON.stringify(body)));
  return rejected(
    "invalid_request",
    "The body was read before it came here: mount the server before parsers of bodies.",
  );
}

function readBytes(incoming: IncomingMessage, limits: BodyLimits): Promise<Result<Buffer>> {
  const tooLarge = rejected(
    "payload_too_large",
    `The body is larger than ${limits.maxBytes} bytes.`,
  );
  if (Number(incoming.headers["content-length"] ?? 0) > limits.maxBytes) {
    return Promise.resolve(tooLarge);
  }
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const cancelTimer = startTimer(limits.clock, limits.timeoutMs, () => {
      settle(rejected("request_timeout", `The body took longer than ${limits.timeoutMs} ms.`));
    });
    const onData = (chunk: Buffer): void => {
      length += chunk.length;
      if (length > limits.maxBytes) settle(tooLarge);
      else chunks.push(chunk);
    };
    const onEnd = (): void => settle(accepted(Buffer.concat(chunks)));
    const onClose = (): void => settle(rejected("invalid_request", "The body was cut off."));
    const settle = (result: Result<Buffer>): void => {
      cancelTimer();
      incoming.off("data", onData).off("end", onEnd).off("error", onClose).off("close", onClose);
      resolve(result);
    };
    incoming.on("data", onData).on("end", onEnd).on("error", onClose).on("close", onClose);
  });
}
