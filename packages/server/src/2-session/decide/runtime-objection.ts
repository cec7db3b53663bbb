import { RuntimeError } from "@turnwire/runtime";

/** What a runtime says against something that it was asked to check; undefined when nothing. */
export function objectionOf(check: () => void): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (error instanceof RuntimeError) return error.message;
    throw error;
  }
}
