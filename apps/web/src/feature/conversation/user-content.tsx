import type { Attachment, ContentBlock, HasAttachments } from "@turnwire/protocol";
import { useMemo } from "react";
import { useFold } from "../block/fold-memory.ts";
import { ImageView } from "../block/image-view.tsx";
import { StoredImage } from "../block/stored-image.tsx";
import { attachmentWithin, useWhole } from "../block/stored-part.tsx";
import { AttachedDocument } from "./attached-document.tsx";
import style from "./user-content.module.css";

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
