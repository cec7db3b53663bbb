import { createMarkdownStream, type Highlighter, type UrlRule } from "@turnwire/markdown";
import { type ReactElement, useMemo } from "react";
import { MarkdownBlocks } from "./markdown-block.tsx";
import { type MarkdownComponents, MarkdownContext } from "./markdown-context.ts";

export interface MarkdownProps {
  /** The whole text so far. */
  readonly text: string;
  /** More will come: half-written markup at the end is shown as what it will be. */
  readonly isStreaming?: boolean;
  /** Colours code; without it code is plain. */
  readonly highlighter?: Highlighter | undefined;
  readonly components?: MarkdownComponents | undefined;
  /** Which links and images are let through; keep the object the same between renders. */
  readonly urlRule?: UrlRule | undefined;
}

const noComponents: MarkdownComponents = {};

/** Markdown as elements with classes `tw-md-…`; while it grows, only its last block renders again. */
export function Markdown({
  text,
  isStreaming = false,
  highlighter,
  components = noComponents,
  urlRule,
}: MarkdownProps): ReactElement {
  const stream = useMemo(() => createMarkdownStream(urlRule && { urlRule }), [urlRule]);
  const blocks = stream.update(text, { isComplete: !isStreaming });
  const settings = useMemo(() => ({ components, highlighter }), [components, highlighter]);
  return (
    <MarkdownContext.Provider value={settings}>
      <div className="tw-md">
        <MarkdownBlocks blocks={blocks} />
      </div>
    </MarkdownContext.Provider>
  );
}
