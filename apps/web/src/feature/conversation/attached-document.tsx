import type { ContentBlock } from "@turnwire/protocol";
import { useState } from "react";
import { Dialog } from "../../element/dialog.tsx";
import { Icon } from "../../element/icon.tsx";
import { textFromBase64 } from "./base64-text.ts";
import style from "./user-content.module.css";

interface AttachedDocumentProps {
  readonly block: Extract<ContentBlock, { type: "document" }>;
}

/** A document that a person attached; a text opens. */
export function AttachedDocument({ block }: AttachedDocumentProps) {
  const [isOpen, setOpen] = useState(false);
  const { title = "Document", source } = block;
  const name = (
    <>
      <Icon name="file" size={15} />
      {title}
    </>
  );
  // A large one is stored beside the log: it opens once it is shown whole.
  if (source.media_type !== "text/plain" || source.data === "") {
    return <p className={`row gap-2 small soft ${style.document}`}>{name}</p>;
  }
  return (
    <>
      <button
        type="button"
        className={`row gap-2 small soft ${style.document}`}
        onClick={() => setOpen(true)}
      >
        {name}
      </button>
      {isOpen && (
        <Dialog title={title} onClose={() => setOpen(false)}>
          <pre className={`breaks small ${style.paper}`} tabIndex={0} aria-label={title}>
            {textFromBase64(source.data)}
          </pre>
        </Dialog>
      )}
    </>
  );
}
