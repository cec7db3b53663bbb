import { Markdown, type MarkdownComponents } from "@turnwire/react";
import { CopyButton } from "../copy-button.tsx";
import { highlighter } from "./highlighted-lines.ts";
import "./prose.css";

const components: MarkdownComponents = {
  CopyButton: ({ text }) => <CopyButton text={() => text} label="Copy the code" />,
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
      text={text}
      isStreaming={isStreaming}
      highlighter={highlighter}
      components={components}
    />
  );
}
