import { Markdown } from "@turnwire/react";
import { highlighter } from "./highlighter.ts";
import { markdownComponents } from "./markdown-component.tsx";
import "./prose.css";

interface ProseProps {
  readonly text: string;
  /** More will come. */
  readonly isStreaming?: boolean;
}

/** Markdown in the app's own look, with coloured code. */
export function Prose({ text, isStreaming = false }: ProseProps) {
  return (
    <Markdown
      text={text}
      isStreaming={isStreaming}
      highlighter={highlighter}
      components={markdownComponents}
    />
  );
}
