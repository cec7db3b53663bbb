import type { ContentBlock } from "@turnwire/protocol";
import { useFold } from "../block/fold-memory.ts";
import { ImageView } from "../block/image-view.tsx";
import { Icon } from "../icon/icon.tsx";
import style from "./user-content.module.css";

interface UserContentProps {
  /** Unique in the conversation. */
  readonly id: string;
  readonly content: readonly ContentBlock[];
}

/** What a person said: text, images, documents. */
export function UserContent({ id, content }: UserContentProps) {
  return (
    <div className={style.content}>
      {content.map((block, index) => (
        <ContentView key={`${index}`} id={`${id} ${index}`} block={block} />
      ))}
    </div>
  );
}

interface ContentViewProps {
  readonly id: string;
  readonly block: ContentBlock;
}

function ContentView({ id, block }: ContentViewProps) {
  switch (block.type) {
    case "text":
      return <LongText id={id} text={block.text} />;
    case "image": {
      const { media_type, data } = block.source;
      return <ImageView mediaType={media_type} data={data} label="Attached image" />;
    }
    case "document":
      return (
        <p className={style.document}>
          <Icon name="file" size={15} />
          {block.title ?? "Document"}
        </p>
      );
  }
}

const LONG_LINES = 16;
const LONG_CHARACTERS = 1_600;

/** What somebody pasted is mostly too long to read again. */
function LongText({ id, text }: { readonly id: string; readonly text: string }) {
  const [isOpen, setOpen] = useFold(id, false);
  const isLong = text.length > LONG_CHARACTERS || text.split("\n").length > LONG_LINES;
  return (
    <>
      <p className={style.text} data-clipped={isLong && !isOpen}>
        {text}
      </p>
      {isLong && (
        <button
          type="button"
          className={style.more}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? "Show less" : "Show all"}
        </button>
      )}
    </>
  );
}
