import type { IncomingMessage } from "node:http";
import type { Logger } from "@turnwire/base";

export interface AnsweredRequest {
  readonly incoming: IncomingMessage;
  readonly status: number;
  /** The pattern of the path, never the path: it may hold a login code. */
  readonly route: string;
  /** The client's, which behind a proxy is not the connection's. */
  readonly address: string | undefined;
}

/** Who does not belong here, who asks too often, and who comes while the server drains or its store is unavailable. */
const refusals = new Set([401, 403, 421, 429, 503]);

/** Reports an answered request: refusals and failures always, the rest for whoever debugs. */
export function logRequest(
  logger: Logger,
  { incoming, status, route, address }: AnsweredRequest,
): void {
  const { method = "" } = incoming;
  const facts = { method, route, status, address };
  if (refusals.has(status)) logger.warn(facts, "request refused");
  else if (status >= 500) logger.error(facts, "request failed");
  else logger.debug(facts, "request answered");
}
