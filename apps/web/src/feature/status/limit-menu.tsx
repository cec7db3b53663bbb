import type { SessionView } from "@turnwire/client";
import { accountText, currentLimits, type RateLimit } from "@turnwire/protocol";
import { useSessionSelector } from "@turnwire/react";
import { resetTime } from "../../element/clock-time.ts";
import { Popover } from "../../element/popover.tsx";
import { useNow } from "../../element/use-now.ts";
import style from "./background-menu.module.css";

const severity: readonly RateLimit["status"][] = ["allowed", "warning", "reached"];

function limitsOf({ session }: SessionView): SessionView["session"]["rate_limits"] {
  return session.rate_limits;
}

function accountOf({ session }: SessionView): SessionView["session"]["session"]["account"] {
  return session.session.account;
}

/** The account's limits, each with its use and its reset. */
export function LimitMenu() {
  const now = useNow().getTime();
  const limits = currentLimits(useSessionSelector(limitsOf), now);
  const account = useSessionSelector(accountOf);
  const [first] = limits.toSorted((left, right) => rankOf(right) - rankOf(left));
  if (!first && !account) return null;
  return (
    <Popover label={first ? `${first.label} ${usedText(first)}` : "Account"}>
      {account && <p className="tiny faint breaks">{accountText(account)}</p>}
      <ul className={`stack gap-2 ${style.list}`} aria-label="Limits of the account">
        {limits.map((limit) => (
          <li key={limit.limit_id}>
            <span className={`dot ${style.dot}`} data-status={limit.status} />
            <span className="stack grow shrink breaks">
              <span>{limit.label}</span>
              <span className="tiny faint">
                {usedText(limit)}
                {limit.resets_at !== undefined && <> · resets {resetTime(limit.resets_at, now)}</>}
              </span>
            </span>
          </li>
        ))}
      </ul>
    </Popover>
  );
}

/** The one that a person should know of comes first. */
function rankOf({ status, used_percent = 0 }: RateLimit): number {
  return severity.indexOf(status) * 1000 + used_percent;
}

function usedText({ status, used_percent }: RateLimit): string {
  if (status === "reached") return "reached";
  if (used_percent !== undefined) return `${used_percent}% used`;
  return status === "warning" ? "almost reached" : "not reached";
}
