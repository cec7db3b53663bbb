import type { ContentBlock } from "@turnwire/protocol";
import style from "./user-content.module.css";

/** What a person said: text, images, documents. */
export function UserContent({ content }: { readonly content: readonly ContentBlock[] }) {
  return (
    <div className={style.content}>
      {content.map((block, index) => (
        <ContentView key={`${index}`} block={block} />
      ))}
    </div>
  );
}

function ContentView({ block }: { readonly block: ContentBlock }) {
  switch (block.type) {
    case "text":
      return <p>{block.text}</p>;
    case "image": {
      const { media_type, data } = block.source;
      return <img src={`data:${media_type};base64,${data}`} alt="Attached" />;
    }
    case "document":
      return <p className={style.document}>{block.title ?? "Document"}</p>;
  }
}
