import type { SessionInfo } from "@turnwire/protocol";
import { memo, useState } from "react";
import { Link } from "../navigation/link.tsx";
import { showSession } from "../navigation/navigation.ts";
import { Menu } from "../../element/menu.tsx";
import { relativeTime } from "../../element/relative-time.ts";
import { useSessionActions } from "../session/session-action.ts";
import style from "./session-row.module.css";
import { SessionStatusDot } from "../session/session-status.tsx";
import { lastPart, titleOf } from "../session/session-title.ts";
import { useIsUnseen } from "../seen/seen.ts";
import { TitleField } from "../session/title-field.tsx";

interface SessionRowProps {
  readonly session: SessionInfo;
  readonly isCurrent: boolean;
  readonly now: Date;
}

/** A session in the list: its state, its title, where it works. */
export const SessionRow = memo(function SessionRow({ session, isCurrent, now }: SessionRowProps) {
  const [isRenaming, setRenaming] = useState(false);
  const actions = useSessionActions(session, { onRename: () => setRenaming(true) });
  const isUnseen = useIsUnseen(session) && !isCurrent;
  const place = session.cwd === undefined ? undefined : lastPart(session.cwd);
  const facts = [session.runtime, place].filter(Boolean).join(" · ");
  return (
    <li className={style.row} data-current={isCurrent}>
      {isRenaming ? (
        <div className={style.renaming}>
          <TitleField session={session} onDone={() => setRenaming(false)} />
        </div>
      ) : (
        <Link
          to={{ type: "session", sessionId: session.session_id }}
          onFollow={() => showSession(session.session_id)}
          className={style.link}
          aria-current={isCurrent ? "page" : undefined}
        >
          <SessionStatusDot session={session} />
          <span className={style.text}>
            <span className={style.title}>{titleOf(session)}</span>
            {isUnseen && (
              <span className={style.unseen} role="img" aria-label="New since you looked" />
            )}
            <span className={style.facts}>
              <span>{facts}</span>
              <time dateTime={session.updated_at}>{relativeTime(session.updated_at, now)}</time>
            </span>
          </span>
        </Link>
      )}
      <Menu label={`Actions for ${titleOf(session)}`} items={actions} className={style.menu} />
    </li>
  );
});
