import { createHighlighter } from "@turnwire/markdown";

/** Colours code for the whole app, in one worker that starts with the first code. */
export const highlighter = createHighlighter({
  createWorker: () =>
    new Worker(new URL("./highlight-worker.ts", import.meta.url), { type: "module" }),
});
