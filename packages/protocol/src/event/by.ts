import * as z from "zod";

/** The principal that caused an event. */
export const by = z
  .string()
  .optional()
  .describe("The id of the principal that caused this; absent where no client did.");
