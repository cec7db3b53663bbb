import { languageFromPath } from "@turnwire/markdown";
import { MarkdownCodeLines } from "@turnwire/react";
import { useMemo } from "react";
import { CopyButton } from "../../element/copy-button.tsx";
import { useHighlightedLines } from "../../element/prose/highlighted-lines.ts";
import { useClip } from "./clip.tsx";
import { numberedCode } from "./numbered-code.ts";
import style from "./code-view.module.css";

interface CodeViewProps {
  readonly text: string;
  /** Determines the language. */
  readonly path: string;
}

const SHOWN_LINES = 60;

/** A file, or a part of one, with line numbers if the tool gave them. */
export function CodeView({ text, path }: CodeViewProps) {
  const { code, first } = useMemo(() => numberedCode(text), [text]);
  const lines = useHighlightedLines(code, languageFromPath(path));
  const { end, more } = useClip({ total: lines.length, shown: SHOWN_LINES, side: "end" });
  return (
    <div className={`frame ${style.code}`}>
      <pre className={style.text} tabIndex={0} aria-label={path}>
        {first !== undefined && (
          <span className={style.numbers} data-numbers={numbers(first, end)} />
        )}
        <code>
          <MarkdownCodeLines lines={lines.slice(0, end)} />
        </code>
      </pre>
      {more}
      <CopyButton className={style.copy} text={() => code} />
    </div>
  );
}

function numbers(first: number, count: number): string {
  return Array.from({ length: count }, (_, index) => first + index).join("\n");
}
