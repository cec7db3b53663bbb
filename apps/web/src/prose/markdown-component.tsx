import type { MarkdownComponents, MarkdownCopyProps } from "@turnwire/react";
import { useEffect, useState } from "react";
import { detach } from "../app/detach.ts";
import { showError } from "../toast/toast.ts";

const SHOWN_MS = 1_500;

function CopyButton({ text }: MarkdownCopyProps) {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
  };
  return (
    <button type="button" className="tw-md-copy" onClick={() => detach(copy(), showError)}>
      {isCopied ? "Copied" : "Copy"}
    </button>
  );
}

/** What this app shows of Markdown in its own way. */
export const markdownComponents: MarkdownComponents = { CopyButton };
