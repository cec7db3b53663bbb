import { type MarkdownCodeProps, MarkdownCodeLines } from "@turnwire/react";
import { useState } from "react";
import { CopyButton } from "../copy-button.tsx";
import { counted } from "../figure.ts";
import { linesOfCode, SHOWN_LINES } from "./code-fold.ts";

/** A code block: long ones are folded, long lines wrap on demand, and the buttons stay in sight. */
export function CodeBlock({ block, lines, children }: MarkdownCodeProps) {
  const [isWhole, setWhole] = useState(false);
  const [isWrapped, setWrapped] = useState(false);
  const { first, hidden } = linesOfCode(block.text);
  const isFolded = hidden > 0 && !isWhole;
  const shown = lines ? <MarkdownCodeLines lines={lines.slice(0, SHOWN_LINES)} /> : first;
  return (
    <div className="tw-md-code-block" data-wrapped={isWrapped}>
      <div className="tw-md-code-head">
        <span className="tw-md-code-language">{block.language}</span>
        <span className="tw-md-code-actions">
          <button
            type="button"
            className="tw-md-code-action"
            aria-pressed={isWrapped}
            onClick={() => setWrapped(!isWrapped)}
          >
            Wrap
          </button>
          <CopyButton text={() => block.text} label="Copy the code" />
        </span>
      </div>
      <pre className="tw-md-pre" dir="ltr" tabIndex={0}>
        <code>{isFolded ? shown : children}</code>
      </pre>
      {hidden > 0 && (
        <button
          type="button"
          className="tw-md-code-more"
          aria-expanded={isWhole}
          onClick={() => setWhole(!isWhole)}
        >
          {isWhole ? "Show less" : `Show ${counted(hidden, "more line")}`}
        </button>
      )}
    </div>
  );
}
