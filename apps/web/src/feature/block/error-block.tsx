import type { ErrorBlock } from "@turnwire/protocol";
import { Icon } from "../../element/icon.tsx";
import { errorAdvice } from "./error-advice.ts";
import style from "./error-block.module.css";

/** What went wrong, and what to do about it. */
export function ErrorBlockView({ block }: { readonly block: ErrorBlock }) {
  return (
    <div className={style.error}>
      <Icon name="warning" />
      <div>
        <p>{block.message}</p>
        <p className={style.advice}>
          {errorAdvice(block)} <code className={style.code}>{block.code}</code>
        </p>
      </div>
    </div>
  );
}
