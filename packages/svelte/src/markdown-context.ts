import type {
  Highlighter,
  MarkdownCodeBlock,
  MarkdownImage,
  MarkdownLink,
  TokenLine,
  UrlRule,
} from "@turnwire/markdown";
import { getContext, setContext, type Snippet } from "svelte";

/** The parts that an application renders itself. */
export interface MarkdownSnippets {
  /** A link, and the snippet that shows what stands in it. */
  readonly link?: Snippet<[MarkdownLink, Snippet]> | undefined;
  readonly image?: Snippet<[MarkdownImage]> | undefined;
  /** A code block, and its lines if they are highlighted. */
  readonly codeBlock?: Snippet<[MarkdownCodeBlock, readonly TokenLine[] | undefined]> | undefined;
  /** Stands in the head of each code block and gets its text. */
  readonly copyButton?: Snippet<[string]> | undefined;
}

export interface MarkdownProps extends MarkdownSnippets {
  /** The whole text so far. */
  readonly text: string;
  /** More will come: half-written markup at the end is shown as what it will be. */
  readonly isStreaming?: boolean | undefined;
  /** Colours code; without it code is plain. */
  readonly highlighter?: Highlighter | undefined;
  /** Which links and images are let through; keep the object the same. */
  readonly urlRule?: UrlRule | undefined;
}

/** Read by getters, so that what changes in the component above changes below. */
export interface MarkdownSettings {
  readonly snippets: MarkdownSnippets;
  readonly highlighter: Highlighter | undefined;
}

const key = Symbol("markdown");

export function setMarkdownSettings(settings: MarkdownSettings): void {
  setContext(key, settings);
}

export function useMarkdownSettings(): MarkdownSettings {
  return getContext<MarkdownSettings>(key);
}
