import type { ErrorBlock } from "@turnwire/protocol";
import { Icon } from "../icon/icon.tsx";
import style from "./error-block.module.css";

/** What went wrong, and whether trying again may help. */
export function ErrorBlockView({ block }: { readonly block: ErrorBlock }) {
  return (
    <div className={style.error} role="alert">
      <Icon name="warning" />
      <div>
        <p>{block.message}</p>
        <p className={style.remark}>
          {block.code}
          {block.retryable && " · sending the message again may help"}
        </p>
      </div>
    </div>
  );
}
