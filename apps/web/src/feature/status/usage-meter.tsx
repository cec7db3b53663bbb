import type { SessionView } from "@turnwire/client";
import { useSessionSelector } from "@turnwire/react";
import { ContextMenu } from "./context-menu.tsx";
import { costText, countText } from "../../element/figure.ts";
import style from "./usage-meter.module.css";

/** The least width, so that small values are visible. */
const LEAST_SHOWN = 0.08;

/** From here on the agent will soon have to compact its context. */
const NEARLY_FULL = 0.8;

function usageOf({ session }: SessionView): SessionView["session"]["usage"] {
  return session.usage;
}

function canReadContext({ session }: SessionView): boolean {
  return session.session.capabilities.context_usage;
}

/** How full the agent's context is, and what the session has cost. */
export function UsageMeter() {
  const {
    context_tokens: used,
    context_window: room,
    total_cost_usd: cost,
  } = useSessionSelector(usageOf);
  const canAsk = useSessionSelector(canReadContext);
  const share = used === undefined || !room ? undefined : Math.min(1, used / room);
  const words =
    used === undefined
      ? undefined
      : `${countText(used)}${room ? ` of ${countText(room)}` : ""} tokens`;
  return (
    <div className="row gap-2 rigid tiny numbers faint">
      {share !== undefined && (
        <span
          role="meter"
          className="meter"
          aria-label={`Context: ${words}`}
          title={`Context: ${words}`}
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={Math.round(share * 100)}
        >
          <span
            className={style.share}
            data-nearly-full={share >= NEARLY_FULL}
            style={{ width: `${Math.max(LEAST_SHOWN, share) * 100}%` }}
          />
        </span>
      )}
      {words !== undefined && (
        <span className={style.words} title="Context used">
          {canAsk ? <ContextMenu label={words} /> : words}
        </span>
      )}
      {cost > 0 && (
        <span title="Cost of this session" aria-label={`Cost: ${costText(cost)}`} role="img">
          {costText(cost)}
        </span>
      )}
    </div>
  );
}
