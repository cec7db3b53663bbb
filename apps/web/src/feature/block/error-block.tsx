import type { ErrorBlock } from "@turnwire/protocol";
import type { ReactNode } from "react";
import { Icon } from "../../element/icon.tsx";
import { errorAdvice } from "./error-advice.ts";
import style from "./error-block.module.css";

interface ErrorBlockViewProps {
  readonly block: ErrorBlock;
  /** What can be done about it here. */
  readonly children?: ReactNode;
}

/** What went wrong, and what to do about it. */
export function ErrorBlockView({ block, children }: ErrorBlockViewProps) {
  return (
    <div className={`gap-3 breaks ${style.error}`}>
      <Icon name="warning" />
      <div>
        <p>{block.message}</p>
        <p className="small soft">
          {errorAdvice(block)} <code className="tiny soft">{block.code}</code>
        </p>
        {children}
      </div>
    </div>
  );
}
