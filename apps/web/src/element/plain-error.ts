import { errorText } from "@turnwire/base";
import { ClientError } from "@turnwire/client";

/** What went wrong, for people: the server's own sentence, without the request that it answers. */
export function plainError(error: unknown): string {
  if (!(error instanceof ClientError)) return errorText(error);
  if (error.error) return error.error.message;
  if (error.code === "network") return "The server cannot be reached.";
  if (error.code === "timeout") return "The server did not answer in time.";
  return errorText(error);
}
