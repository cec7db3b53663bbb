import { detach } from "@turnwire/base";
import { useEffect, useState } from "react";
import { IconButton } from "./icon-button.tsx";
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
  return (
    <IconButton
      isSmall
      icon={isCopied ? "check" : "copy"}
      label={isCopied ? "Copied" : label}
      className={className}
      onClick={() => detach(copy(), showError)}
    />
  );
}
