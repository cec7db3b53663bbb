import { Markdown, type MarkdownComponents } from "@turnwire/react";
import { CodeBlock } from "./code-block.tsx";
import { highlighter } from "./highlighted-lines.ts";
import { readableMarkdown } from "./readable-markdown.ts";
import "./prose.css";

const components: MarkdownComponents = {
  CodeBlock,
};

interface ProseProps {
  readonly text: string;
  /** More text will come. */
  readonly isStreaming?: boolean;
}

/** Markdown in the app's look, with highlighted code. */
export function Prose({ text, isStreaming = false }: ProseProps) {
  return (
    <Markdown
      text={readableMarkdown(text)}
      isStreaming={isStreaming}
      highlighter={highlighter}
      components={components}
    />
  );
}
