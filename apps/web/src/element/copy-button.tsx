import { detach } from "@turnwire/base";
import { useEffect, useState } from "react";
import { Icon } from "./icon.tsx";
import { showError } from "./toast.ts";

const SHOWN_MS = 1_500;

interface CopyButtonProps {
  /** Called when the button is pressed. */
  readonly text: () => string;
  readonly label?: string;
  readonly className?: string | undefined;
}

/** Copies a text to the clipboard, and confirms it for a moment. */
export function CopyButton({ text, label = "Copy", className }: CopyButtonProps) {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text());
    setCopied(true);
  };
  const name = isCopied ? "Copied" : label;
  return (
    <button
      type="button"
      className={["quiet square faint", className].filter(Boolean).join(" ")}
      aria-label={name}
      title={name}
      onClick={() => detach(copy(), showError)}
    >
      <Icon name={isCopied ? "check" : "copy"} size={15} />
    </button>
  );
}
