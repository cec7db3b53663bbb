import type { TokenLine } from "@turnwire/markdown";
import { MarkdownCodeLines } from "@turnwire/react";
import { memo, useMemo } from "react";
import { useHighlightedLines } from "../../element/prose/highlighted-lines.ts";
import { useClip } from "./clip.tsx";
import { diffPairs, type DiffHunk, type DiffLine, type DiffPair } from "./diff-file.ts";
import type { DiffLayout } from "./diff-layout.ts";
import style from "./diff-hunk.module.css";

interface DiffHunkViewProps {
  readonly hunk: DiffHunk;
  readonly layout: DiffLayout;
  readonly language: string | undefined;
}

const SHOWN_LINES = 200;

/** Lines that changed together, with those around them. */
export function DiffHunkView({ hunk, layout, language }: DiffHunkViewProps) {
  const tokens = useLineTokens(hunk, language);
  const pairs = useMemo(() => (layout === "split" ? diffPairs(hunk) : []), [hunk, layout]);
  const total = layout === "split" ? pairs.length : hunk.lines.length;
  const { end, more } = useClip({ total, shown: SHOWN_LINES, side: "end" });
  return (
    <>
      <table className={style.hunk} data-layout={layout}>
        <tbody>
          {layout === "split"
            ? pairs
                .slice(0, end)
                .map((pair, index) => <PairRow key={index} pair={pair} tokens={tokens} />)
            : hunk.lines
                .slice(0, end)
                .map((line, index) => (
                  <InlineRow key={index} line={line} tokens={tokens.get(line)} />
                ))}
        </tbody>
      </table>
      {more}
    </>
  );
}

type LineTokens = ReadonlyMap<DiffLine, TokenLine>;

/** Each side is highlighted as a whole, because a line depends on those above it. */
function useLineTokens(hunk: DiffHunk, language: string | undefined): LineTokens {
  const sides = useMemo(() => {
    const before = hunk.lines.filter(({ kind }) => kind !== "added");
    const after = hunk.lines.filter(({ kind }) => kind !== "removed");
    return { before, after, oldCode: codeOf(before), newCode: codeOf(after) };
  }, [hunk]);
  const oldLines = useHighlightedLines(sides.oldCode, language);
  const newLines = useHighlightedLines(sides.newCode, language);
  return useMemo(() => {
    const tokens = new Map<DiffLine, TokenLine>();
    for (const [index, line] of sides.before.entries()) tokens.set(line, oldLines[index] ?? []);
    for (const [index, line] of sides.after.entries()) tokens.set(line, newLines[index] ?? []);
    return tokens;
  }, [sides, oldLines, newLines]);
}

function codeOf(lines: readonly DiffLine[]): string {
  return lines.map(({ text }) => text).join("\n");
}

interface InlineRowProps {
  readonly line: DiffLine;
  readonly tokens: TokenLine | undefined;
}

const InlineRow = memo(function InlineRow({ line, tokens }: InlineRowProps) {
  return (
    <tr data-kind={line.kind}>
      <NumberCell number={line.before} />
      <NumberCell number={line.after} />
      <CodeCell line={line} tokens={tokens} />
    </tr>
  );
});

function PairRow({ pair, tokens }: { readonly pair: DiffPair; readonly tokens: LineTokens }) {
  const { before, after } = pair;
  return (
    <tr>
      <NumberCell number={before?.before} />
      <CodeCell line={before} tokens={before && tokens.get(before)} />
      <NumberCell number={after?.after} />
      <CodeCell line={after} tokens={after && tokens.get(after)} />
    </tr>
  );
}

function NumberCell({ number }: { readonly number: number | undefined }) {
  return <td className={style.number} data-number={number ?? ""} />;
}

const signs: Readonly<Record<DiffLine["kind"], string>> = {
  added: "+",
  removed: "−",
  context: " ",
};

interface CodeCellProps {
  readonly line: DiffLine | undefined;
  readonly tokens: TokenLine | undefined;
}

function CodeCell({ line, tokens }: CodeCellProps) {
  if (!line) return <td className={style.nothing} />;
  return (
    <td className={style.code} data-kind={line.kind}>
      <span className={style.sign}>{signs[line.kind]}</span>
      {tokens ? <MarkdownCodeLines lines={[tokens]} /> : line.text}
    </td>
  );
}
