import type { Attachment, ContentBlock, HasAttachments } from "@turnwire/protocol";
import { useMemo, useState } from "react";
import { useFold } from "../block/fold-memory.ts";
import { ImageView, StoredImage } from "../block/image-view.tsx";
import { attachmentWithin, useWhole } from "../block/stored-part.tsx";
import style from "./user-content.module.css";
import { Dialog } from "../../element/dialog.tsx";
import { Icon } from "../../element/icon.tsx";

interface UserContentProps extends HasAttachments {
  /** Unique in the conversation. */
  readonly id: string;
  readonly content: readonly ContentBlock[];
}

/** The content of a person's message: text, images, documents. */
export function UserContent({ id, content, attachments }: UserContentProps) {
  const shown = useMemo(
    () => ({ content, ...(attachments && { attachments }) }),
    [content, attachments],
  );
  const { value, more } = useWhole(shown);
  return (
    <div className="stack gap-2">
      {value.content.map((block, index) => (
        <ContentView
          key={`${index}`}
          id={`${id} ${index}`}
          block={block}
          attachment={attachmentWithin(value, `/content/${index}`)}
        />
      ))}
      {more}
    </div>
  );
}

interface ContentViewProps {
  readonly id: string;
  readonly block: ContentBlock;
  readonly attachment: Attachment | undefined;
}

function ContentView({ id, block, attachment }: ContentViewProps) {
  switch (block.type) {
    case "text":
      return <LongText id={id} text={block.text} />;
    case "image": {
      const { media_type, data } = block.source;
      if (data === "" && attachment) {
        return <StoredImage attachment={attachment} label="Attached image" />;
      }
      return <ImageView mediaType={media_type} data={data} label="Attached image" />;
    }
    case "document":
      return <AttachedDocument block={block} />;
  }
}

const LONG_LINES = 16;
const LONG_CHARACTERS = 1_600;

/** Pasted text is mostly too long to read again. */
function LongText({ id, text }: { readonly id: string; readonly text: string }) {
  const [isOpen, setOpen] = useFold(id, false);
  const isLong = text.length > LONG_CHARACTERS || text.split("\n").length > LONG_LINES;
  return (
    <>
      <p className={style.text} dir="auto" data-clipped={isLong && !isOpen}>
        {text}
      </p>
      {isLong && (
        <button
          type="button"
          className={`bare small medium soft ${style.more}`}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? "Show less" : "Show all"}
        </button>
      )}
    </>
  );
}

interface AttachedDocumentProps {
  readonly block: Extract<ContentBlock, { type: "document" }>;
}

/** A document that a person attached; a text opens. */
function AttachedDocument({ block }: AttachedDocumentProps) {
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

/** The text that is encoded in base64, as UTF-8. */
function textFromBase64(data: string): string {
  const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
  return new TextDecoder().decode(bytes);
}
