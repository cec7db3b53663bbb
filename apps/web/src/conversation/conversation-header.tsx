import type { SessionInfo } from "@turnwire/protocol";
import { useSession, useSessionSelector } from "@turnwire/react";
import { useEffect, useState } from "react";
import { Header } from "../app/header.tsx";
import { Menu } from "../element/menu.tsx";
import { useSessionActions } from "../session-list/session-action.ts";
import { SessionStatusDot } from "../session-list/session-status.tsx";
import { lastPart, titleOf } from "../session-list/session-title.ts";
import { TitleField } from "../session-list/title-field.tsx";
import { useSessionInfo } from "../session-list/sessions.tsx";
import style from "./conversation-header.module.css";

/** The session's title, where it works and with what, and what can be done with it. */
export function ConversationHeader() {
  const { id } = useSession();
  const facts = useSessionSelector((view) => view.session.session);
  const info = useSessionInfo(id);
  const title = titleOf(facts);
  useEffect(() => {
    document.title = `${title} · Turnwire`;
    return () => {
      document.title = "Turnwire";
    };
  }, [title]);
  if (!info) return <Header title={facts.session_id === "" ? "" : title} />;
  return <KnownHeader session={info} title={title} />;
}

interface KnownHeaderProps {
  readonly session: SessionInfo;
  readonly title: string;
}

function KnownHeader({ session, title }: KnownHeaderProps) {
  const [isRenaming, setRenaming] = useState(false);
  const actions = useSessionActions(session, () => setRenaming(true));
  const place = session.cwd === undefined ? undefined : lastPart(session.cwd);
  return (
    <Header
      title={
        isRenaming ? (
          <TitleField session={session} onDone={() => setRenaming(false)} />
        ) : (
          <span className={style.title}>
            <SessionStatusDot session={session} />
            <h1 onDoubleClick={() => setRenaming(true)}>{title}</h1>
          </span>
        )
      }
      detail={
        <span title={session.cwd}>
          {[session.runtime, session.model, place].filter(Boolean).join(" · ")}
        </span>
      }
    >
      <Menu label="Actions for this session" items={actions} />
    </Header>
  );
}
