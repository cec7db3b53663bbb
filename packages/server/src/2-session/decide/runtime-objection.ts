import { RuntimeError } from "@turnwire/runtime";

/** The objection of a runtime to something that it was asked to check; undefined when it has none. */
export function objectionOf(check: () => void): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    return objectionFrom(error);
  }
}

/** The same of a check that may take a while. */
export async function awaitObjection(
  check: () => void | Promise<void>,
): Promise<string | undefined> {
  try {
    await check();
    return undefined;
  } catch (error) {
    return objectionFrom(error);
  }
}

function objectionFrom(error: unknown): string {
  if (error instanceof RuntimeError) return error.message;
  throw error;
}
