/** The message of an error, or of any other thrown value. */
export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
