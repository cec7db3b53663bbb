import type { NoticeBlock } from "@turnwire/protocol";
import { Icon } from "../../element/icon.tsx";
import style from "./notice-block.module.css";

/** A remark of the system. */
export function NoticeBlockView({ block }: { readonly block: NoticeBlock }) {
  return (
    <p className={`gap-2 breaks small faint ${style.notice}`} data-level={block.level}>
      {block.level !== "info" && <Icon name="warning" size={15} />}
      <span>{block.text}</span>
    </p>
  );
}
