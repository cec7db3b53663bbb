import type { Highlighter, MarkdownCodeBlock, MarkdownImage, TokenLine } from "@turnwire/markdown";
import { type ComponentType, createContext, type ReactNode } from "react";

export interface MarkdownLinkProps {
  readonly url: string;
  readonly title?: string;
  readonly children: ReactNode;
}

export interface MarkdownImageProps {
  readonly image: MarkdownImage;
}

export interface MarkdownCodeProps {
  readonly block: MarkdownCodeBlock;
  /** Undefined where nothing is highlighted. */
  readonly lines: readonly TokenLine[] | undefined;
  /** The code as it would be shown without this component, inside a `code` element. */
  readonly children: ReactNode;
}

export interface MarkdownCopyProps {
  readonly text: string;
}

/** The parts that an application renders itself; keep the object the same between renders. */
export interface MarkdownComponents {
  readonly Link?: ComponentType<MarkdownLinkProps>;
  readonly Image?: ComponentType<MarkdownImageProps>;
  readonly CodeBlock?: ComponentType<MarkdownCodeProps>;
  /** Stands in the head of each code block. */
  readonly CopyButton?: ComponentType<MarkdownCopyProps>;
}

interface MarkdownSettings {
  readonly components: MarkdownComponents;
  readonly highlighter: Highlighter | undefined;
}

export const MarkdownContext = createContext<MarkdownSettings>({
  components: {},
  highlighter: undefined,
});
