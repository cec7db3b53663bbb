import type { NoticeBlock } from "@turnwire/protocol";
import style from "./notice-block.module.css";

/** A remark that is nobody's words. */
export function NoticeBlockView({ block }: { readonly block: NoticeBlock }) {
  return (
    <p className={style.notice} data-level={block.level}>
      {block.text}
    </p>
  );
}
