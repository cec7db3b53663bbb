import type { Project, SessionInfo } from "@turnwire/protocol";
import { memo, useLayoutEffect, useRef, useState } from "react";
import { Link } from "../navigation/link.tsx";
import { showSession } from "../navigation/navigation.ts";
import { Menu } from "../../element/menu.tsx";
import { BranchName } from "../project/project-facts.tsx";
import { relativeTime } from "../../element/relative-time.ts";
import { useSessionActions } from "../session/session-action.ts";
import style from "./session-row.module.css";
import { SessionStatusDot } from "../session/session-status.tsx";
import { placeOf } from "../session/session-place.ts";
import { titleOf } from "../session/session-title.ts";
import { useIsUnseen } from "../seen/seen.ts";
import { useListHold } from "./list-hold.ts";
import { isWaiting } from "./session-group.ts";
import { TitleField } from "../session/title-field.tsx";

interface SessionRowProps {
  readonly session: SessionInfo;
  /** The project whose group it is in. */
  readonly project: Project | undefined;
  readonly isCurrent: boolean;
  readonly now: Date;
}

/** A session in the list: its state, its title, where it works. */
export const SessionRow = memo(function SessionRow(props: SessionRowProps) {
  const { session, project, isCurrent, now } = props;
  const [isRenaming, setRenaming] = useState(false);
  const [isMenuOpen, setMenuOpen] = useState(false);
  useListHold(isMenuOpen || isRenaming, session.session_id);
  const row = useRef<HTMLLIElement>(null);
  const wasEndedByKey = useRef(false);
  const endRenaming = (isByKey: boolean): void => {
    wasEndedByKey.current = isByKey;
    setRenaming(false);
  };
  // Before the row may move again: then the list keeps the focus on it.
  useLayoutEffect(() => {
    if (isRenaming || !wasEndedByKey.current) return;
    wasEndedByKey.current = false;
    row.current?.querySelector("a")?.focus();
  }, [isRenaming]);
  const actions = useSessionActions(session, { onRename: () => setRenaming(true) });
  const isUnseen = useIsUnseen(session) && !isCurrent;
  const needsPerson = isWaiting(session);
  const facts = [session.runtime, placeIn(project, placeOf(session))].filter(Boolean).join(" · ");
  return (
    <li
      ref={row}
      className={style.row}
      data-session={session.session_id}
      data-current={isCurrent}
      data-unseen={isUnseen}
      data-waiting={needsPerson}
    >
      {isRenaming ? (
        <div className={style.renaming}>
          <TitleField session={session} onDone={endRenaming} />
        </div>
      ) : (
        <Link
          to={{ type: "session", sessionId: session.session_id }}
          onFollow={() => showSession(session.session_id)}
          className={`line gap-3 ${style.link}`}
          aria-current={isCurrent ? "page" : undefined}
        >
          {isUnseen && !needsPerson ? (
            <span className={style.unseen} role="img" aria-label="New since you looked" />
          ) : (
            <SessionStatusDot session={session} />
          )}
          <span className="stack grow shrink">
            <span className={`cut small medium ${style.title}`}>{titleOf(session)}</span>
            <span className={`gap-2 spread tiny faint ${style.facts}`}>
              <span title={session.cwd} className={`gap-2 shrink ${style.place}`}>
                <span className={style.words}>{facts}</span>
                {session.worktree && (
                  <BranchName
                    name={session.worktree.branch}
                    title={`Worktree ${session.worktree.path}`}
                  />
                )}
              </span>
              {needsPerson && <strong className={style.needs}>Needs you</strong>}
              <time dateTime={session.updated_at}>{relativeTime(session.updated_at, now)}</time>
            </span>
          </span>
        </Link>
      )}
      <Menu
        label={`Actions for ${titleOf(session)}`}
        items={actions}
        className={style.menu}
        onOpenChange={setMenuOpen}
      />
    </li>
  );
});

/** Where in its project a session works; the whole path where it is in none. */
function placeIn(project: Project | undefined, cwd: string | undefined): string | undefined {
  if (cwd === undefined || cwd === project?.path) return undefined;
  return project ? cwd.slice(project.path.length).replace(/^\//, "") : cwd;
}
