import { detach } from "@turnwire/base";
import { createHighlighter, plainLines, type TokenLine } from "@turnwire/markdown";
import { useEffect, useMemo, useState } from "react";
import { showError } from "../toast.ts";

/** Highlights code for the whole app, in one worker that starts with the first code. */
export const highlighter = createHighlighter({
  createWorker: () =>
    new Worker(new URL("./highlight-worker.ts", import.meta.url), { type: "module" }),
});

interface Highlighted {
  readonly code: string;
  readonly lines: readonly TokenLine[];
}

/** The lines of code: plain at first, highlighted once the worker has answered. */
export function useHighlightedLines(
  code: string,
  language: string | undefined,
): readonly TokenLine[] {
  const [highlighted, setHighlighted] = useState<Highlighted>();
  const plain = useMemo(() => plainLines(code), [code]);
  useEffect(() => {
    if (language === undefined || code === "") return;
    const abort = new AbortController();
    const highlight = async (): Promise<void> => {
      const lines = await highlighter.highlight(code, language, { signal: abort.signal });
      if (!abort.signal.aborted) setHighlighted({ code, lines });
    };
    detach(highlight(), showError);
    return () => abort.abort();
  }, [code, language]);
  return highlighted?.code === code ? highlighted.lines : plain;
}
