import {
  createHighlightedCode,
  type Highlighter,
  type HighlightedCode,
  type MarkdownCodeBlock,
  type TokenLine,
} from "@turnwire/markdown";
import {
  Fragment,
  memo,
  type ReactElement,
  useContext,
  useEffect,
  useReducer,
  useState,
} from "react";
import { MarkdownContext, type MarkdownCodeProps } from "./markdown-context.ts";

/** A code block, with the colours that have come for it so far. */
export function MarkdownCode({ block }: { readonly block: MarkdownCodeBlock }): ReactElement {
  const { components, highlighter } = useContext(MarkdownContext);
  const lines = useHighlightedLines(block, highlighter);
  const CodeBlock = components.CodeBlock ?? PlainCodeBlock;
  return (
    <CodeBlock block={block} lines={lines}>
      {lines === undefined ? block.text : <MarkdownCodeLines lines={lines} />}
    </CodeBlock>
  );
}

function PlainCodeBlock({ block, children }: MarkdownCodeProps): ReactElement {
  const { CopyButton } = useContext(MarkdownContext).components;
  return (
    <div className="tw-md-code-block">
      <div className="tw-md-code-head">
        <span className="tw-md-code-language">{block.language}</span>
        {CopyButton && <CopyButton text={block.text} />}
      </div>
      <pre className="tw-md-pre" dir="ltr" tabIndex={0}>
        <code>{children}</code>
      </pre>
    </div>
  );
}

/** Highlighted lines of code: of a code block, a file or a diff. */
export function MarkdownCodeLines({
  lines,
}: {
  readonly lines: readonly TokenLine[];
}): ReactElement {
  return (
    <>
      {lines.map((line, index) => (
        <LineView key={index} line={line} isLast={index === lines.length - 1} />
      ))}
    </>
  );
}

interface LineViewProps {
  readonly line: TokenLine;
  readonly isLast: boolean;
}

const LineView = memo(function LineView({ line, isLast }: LineViewProps): ReactElement {
  return (
    <>
      {line.map(({ text, kind }, index) =>
        kind === "plain" ? (
          <Fragment key={index}>{text}</Fragment>
        ) : (
          <span key={index} className={`tw-md-token-${kind}`}>
            {text}
          </span>
        ),
      )}
      {isLast ? null : "\n"}
    </>
  );
});

function useHighlightedLines(
  block: MarkdownCodeBlock,
  highlighter: Highlighter | undefined,
): readonly TokenLine[] | undefined {
  const [code, setCode] = useState<HighlightedCode>();
  const [, renderAgain] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    if (highlighter === undefined) return undefined;
    const created = createHighlightedCode(highlighter, renderAgain);
    setCode(created);
    return () => {
      created.close();
      setCode(undefined);
    };
  }, [highlighter]);
  useEffect(() => code?.update(block), [code, block]);
  return block.language === undefined ? undefined : code?.linesFor(block);
}
