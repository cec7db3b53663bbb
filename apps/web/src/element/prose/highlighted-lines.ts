import { detach } from "@turnwire/base";
import { createHighlighter, plainLines, type TokenLine } from "@turnwire/markdown";
import { useEffect, useMemo, useState } from "react";
import { showError } from "../toast.ts";

/** Highlights code for the whole app, in one worker that starts with the first code. */
export const highlighter = createHighlighter({
  createWorker: () =>
    new Worker(new URL("./highlight-worker.ts", import.meta.url), { type: "module" }),
});

interface Coloured {
  readonly code: string;
  readonly lines: readonly TokenLine[];
}

/** The lines of code, plain at first and coloured once the worker has answered. */
export function useHighlightedLines(
  code: string,
  language: string | undefined,
): readonly TokenLine[] {
  const [coloured, setColoured] = useState<Coloured>();
  const plain = useMemo(() => plainLines(code), [code]);
  useEffect(() => {
    if (language === undefined || code === "") return;
    const abort = new AbortController();
    const colour = async (): Promise<void> => {
      const lines = await highlighter.highlight(code, language, { signal: abort.signal });
      if (!abort.signal.aborted) setColoured({ code, lines });
    };
    detach(colour(), showError);
    return () => abort.abort();
  }, [code, language]);
  return coloured?.code === code ? coloured.lines : plain;
}
