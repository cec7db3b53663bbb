import { memo, useId, useState } from "react";
import { Icon } from "../../element/icon.tsx";
import { Link } from "../navigation/link.tsx";
import { ProjectBranch } from "../project/project-facts.tsx";
import style from "./group-section.module.css";
import { toggleGroup, useIsFolded } from "./group-fold.ts";
import { useHeldSession } from "./list-hold.ts";
import { ProjectMenu } from "./project-menu.tsx";
import { isWaiting, type SessionGroup } from "./session-group.ts";
import { SessionRow } from "./session-row.tsx";

/** How many sessions of a group are shown until a person wants all of them. */
const SHOWN = 12;

interface GroupSectionProps {
  readonly group: SessionGroup;
  readonly currentId: string | undefined;
  readonly now: Date;
}

/** The sessions of one project: they fold away, and a new one begins here. */
export const GroupSection = memo(function GroupSection(props: GroupSectionProps) {
  const { group, currentId, now } = props;
  const { key, label, project, sessions } = group;
  const id = useId();
  const isFolded = useIsFolded(key);
  const [isWhole, setWhole] = useState(false);
  const heldId = useHeldSession();
  const waiting = sessions.filter(isWaiting).length;
  const shown = sessions.filter(
    ({ session_id: sessionId }, place) =>
      isWhole || place < SHOWN || sessionId === currentId || sessionId === heldId,
  );
  const rest = sessions.length - shown.length;
  return (
    <section aria-labelledby={id} className={style.group}>
      <div className={`row ${style.head}`}>
        <h2 id={id}>
          <button
            type="button"
            className={`row gap-2 strong ${style.fold}`}
            aria-expanded={!isFolded}
            title={project?.path}
            onClick={() => toggleGroup(key)}
          >
            <Icon name={isFolded ? "chevron_right" : "chevron_down"} size={12} />
            <span className={`cut ${style.name}`}>{label}</span>
            {isFolded && sessions.length > 0 && (
              <span className={`rigid tiny faint ${style.count}`}>
                {sessions.length}
                <span className="visually-hidden">
                  {sessions.length === 1 ? " session" : " sessions"}
                </span>
              </span>
            )}
            {isFolded && waiting > 0 && (
              <span className={`rigid tiny ${style.waiting}`}>{waiting} waiting</span>
            )}
          </button>
        </h2>
        {project && (
          <>
            <Link
              to={{ type: "home", projectId: project.id }}
              className="quiet square faint"
              aria-label={`New session in ${label}`}
              title={`New session in ${label}`}
            >
              <Icon name="plus" size={16} />
            </Link>
            <ProjectMenu project={project} className={style.menu} />
          </>
        )}
      </div>
      {project && (
        <p className={`row gap-3 ${style.place}`}>
          <bdi className={`cut mono faint ${style.path}`}>{project.display_path}</bdi>
          {project.git && <ProjectBranch git={project.git} />}
        </p>
      )}
      {!isFolded && (
        <ul>
          {shown.map((session) => (
            <SessionRow
              key={session.session_id}
              session={session}
              project={project}
              isCurrent={session.session_id === currentId}
              now={now}
            />
          ))}
        </ul>
      )}
      {!isFolded && (rest > 0 || isWhole) && (
        <button
          type="button"
          className={`quiet tiny ${style.more}`}
          onClick={() => setWhole(!isWhole)}
        >
          {isWhole ? "Show fewer" : `Show ${rest} more`}
        </button>
      )}
    </section>
  );
});
