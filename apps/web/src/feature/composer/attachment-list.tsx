import { IconButton } from "../../element/icon-button.tsx";
import { Icon } from "../../element/icon.tsx";
import { megabytes, type Attachment } from "./attachment.ts";
import style from "./attachment-list.module.css";

interface AttachmentListProps {
  readonly attachments: readonly Attachment[];
  readonly onRemove: (id: string) => void;
}

/** The files that go with the message, before it is sent. */
export function AttachmentList({ attachments, onRemove }: AttachmentListProps) {
  if (attachments.length === 0) return null;
  return (
    <div className={style.frame}>
      <ul className="flow gap-2" aria-label="Attachments">
        {attachments.map(({ id, name, bytes, block }) => (
          <li key={id} className={`frame row gap-2 ${style.attachment}`}>
            {block.type === "image" ? (
              <img src={`data:${block.source.media_type};base64,${block.source.data}`} alt="" />
            ) : (
              <Icon name="file" />
            )}
            <span className={`shrink cut small ${style.name}`}>
              {name}
              <small>{megabytes(bytes)}</small>
            </span>
            <IconButton icon="close" label={`Remove ${name}`} onClick={() => onRemove(id)} />
          </li>
        ))}
      </ul>
      <p className={`tiny faint ${style.note}`}>Attachments are lost on reload</p>
    </div>
  );
}
