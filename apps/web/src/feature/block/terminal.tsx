import { memo, useMemo } from "react";
import { CopyButton } from "../../element/copy-button.tsx";
import { useClip } from "./clip.tsx";
import style from "./terminal.module.css";
import {
  plainTerminalText,
  terminalLines,
  type TerminalLine,
  type TerminalSpan,
} from "./terminal-text.ts";

interface TerminalProps {
  readonly output: string;
  readonly command?: string | undefined;
  /** Names what it shows. */
  readonly label: string;
}

const SHOWN_LINES = 60;
/** Longer output loses its beginning, to keep the page fast. */
const MOST_CHARACTERS = 2_000_000;

/** What a command printed; of a long output the newest lines. */
export function Terminal({ output, command, label }: TerminalProps) {
  const lines = useMemo(() => terminalLines(endOf(output)), [output]);
  const { first, more } = useClip({ total: lines.length, shown: SHOWN_LINES, side: "start" });
  return (
    <div className={style.terminal}>
      {command !== undefined && (
        <pre className={style.command}>
          <span aria-hidden="true">$ </span>
          {command}
        </pre>
      )}
      {output.length > MOST_CHARACTERS && (
        <p className={style.remark}>The output is too long to show from its beginning.</p>
      )}
      {more}
      {lines.length > 0 && (
        <pre className={style.output} tabIndex={0} aria-label={label}>
          {lines.slice(first).map((line, index) => (
            <LineView key={first + index} line={line} />
          ))}
        </pre>
      )}
      <CopyButton
        className={style.copy}
        text={() => plainTerminalText(lines.length > 0 ? output : (command ?? ""))}
      />
    </div>
  );
}

function endOf(output: string): string {
  if (output.length <= MOST_CHARACTERS) return output;
  const start = output.length - MOST_CHARACTERS;
  return output.slice(output.indexOf("\n", start) + 1);
}

const LineView = memo(function LineView({ line }: { readonly line: TerminalLine }) {
  return (
    <>
      {line.map((span, index) => {
        const names = classesOf(span);
        return names === "" ? (
          span.text
        ) : (
          <span key={index} className={names}>
            {span.text}
          </span>
        );
      })}
      {"\n"}
    </>
  );
});

function classesOf(span: TerminalSpan): string {
  return [
    span.color && style[span.color],
    span.background && style[`on-${span.background}`],
    span.isBold && style["bold"],
    span.isDim && style["dim"],
    span.isItalic && style["italic"],
    span.isUnderlined && style["underlined"],
  ]
    .filter(Boolean)
    .join(" ");
}
