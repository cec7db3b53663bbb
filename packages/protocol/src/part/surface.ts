import * as z from "zod";

export const Surface = z
  .enum(["chat", "sidebar", "panel", "overlay", "canvas"])
  .describe("The place in the UI; `chat` is inside the conversation.");
export type Surface = z.infer<typeof Surface>;
