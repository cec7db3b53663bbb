import type { SessionView } from "@turnwire/client";
import type { ErrorBlock } from "@turnwire/protocol";
import { useSessionSelector } from "@turnwire/react";
import type { ReactNode } from "react";
import { Icon } from "../../element/icon.tsx";
import { useNow } from "../../element/use-now.ts";
import { errorAdvice, resetAdvice } from "./error-advice.ts";
import style from "./error-block.module.css";

interface ErrorBlockViewProps {
  readonly block: ErrorBlock;
  /** What can be done about it here. */
  readonly children?: ReactNode;
}

function limitsOf({ session }: SessionView): SessionView["session"]["rate_limits"] {
  return session.rate_limits;
}

/** What went wrong, and what to do about it. */
export function ErrorBlockView({ block, children }: ErrorBlockViewProps) {
  const now = useNow().getTime();
  const reset = resetAdvice(block, useSessionSelector(limitsOf), now);
  return (
    <div className={`gap-3 breaks ${style.error}`}>
      <Icon name="warning" />
      <div>
        <p>{block.message}</p>
        <p className="small soft">
          {errorAdvice(block)}
          {reset !== undefined && ` The limit resets ${reset}.`}{" "}
          <code className="tiny soft">{block.code}</code>
        </p>
        {children}
      </div>
    </div>
  );
}
