import { type Principal, type WireError, wireError } from "@turnwire/protocol";
import type { RouteRight } from "@turnwire/wire";

/** The refusal of a path to a principal; a session in it is judged when it is opened. */
export function rightError(
  { isAdmin, token }: Principal,
  { access, path, isNarrowed = false }: RouteRight,
): WireError | undefined {
  const isFull = token === undefined || token.scope === "admin";
  if (access === "admin" && !(isAdmin && isFull)) {
    return wireError("forbidden", "Only an admin may do this.");
  }
  if (access === "operate" && token?.scope === "read") return readOnly;
  const isAboutSession = path.includes("{session_id}");
  if (token?.sessionId !== undefined && !isAboutSession && !isNarrowed) {
    return wireError("forbidden", "This token is for one session only.");
  }
  return undefined;
}

/** The refusal of every command to a principal that may only read. */
export function operateError({ token }: Principal): WireError | undefined {
  return token?.scope === "read" ? readOnly : undefined;
}

const readOnly = wireError("forbidden", "This token may only read.");
