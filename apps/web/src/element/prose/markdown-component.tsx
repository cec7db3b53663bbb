import type { MarkdownComponents } from "@turnwire/react";
import { CopyButton } from "../copy-button.tsx";

/** What this app shows of Markdown in its own way. */
export const markdownComponents: MarkdownComponents = {
  CopyButton: ({ text }) => <CopyButton text={() => text} label="Copy the code" />,
};
