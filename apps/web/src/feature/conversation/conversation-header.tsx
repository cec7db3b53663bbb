import type { SessionView } from "@turnwire/client";
import type { SessionActivity } from "@turnwire/protocol";
import { useSession, useSessionSelector } from "@turnwire/react";
import { useState } from "react";
import { SessionBudgetDialog } from "../budget/session-budget-dialog.tsx";
import { useMessageField } from "../composer/message-field.ts";
import { Header } from "../page/header.tsx";
import { usePageTitle } from "../page/page-title.ts";
import { Menu } from "../../element/menu.tsx";
import { BranchName, ProjectBranch } from "../project/project-facts.tsx";
import { useDisplayPath, useProjectOf } from "../project/projects.tsx";
import { useSessionActions } from "../session/session-action.ts";
import { placeOf } from "../session/session-place.ts";
import { ContainmentNote, SandboxNote } from "../session/sandbox-note.tsx";
import { SessionStatusDot } from "../session/session-status.tsx";
import { titleOf } from "../session/session-title.ts";
import { TitleField } from "../session/title-field.tsx";
import style from "./conversation-page.module.css";
import { GrantButton } from "./grant-button.tsx";

/** The session's title, where it works and with what, and what can be done with it. */
export function ConversationHeader() {
  const { id } = useSession();
  const facts = useSessionSelector((view) => view.session.session);
  const activity = useSessionSelector(activityOf);
  const [isRenaming, setRenaming] = useState(false);
  const [isBudgetOpen, setBudgetOpen] = useState(false);
  const messageField = useMessageField();
  const endRenaming = (isByKey: boolean): void => {
    setRenaming(false);
    if (isByKey) messageField.focus();
  };
  const session = { ...facts, session_id: id, activity };
  const actions = useSessionActions(session, {
    onRename: () => setRenaming(true),
    canFork: facts.capabilities.fork,
  });
  const project = useProjectOf(placeOf(facts));
  const place = useDisplayPath(placeOf(facts));
  const { worktree } = facts;
  const isLoaded = facts.session_id !== "";
  const title = titleOf(facts);
  usePageTitle(isLoaded ? title : undefined);
  if (!isLoaded) return <Header title="" />;
  return (
    <Header
      title={
        isRenaming ? (
          <TitleField session={session} onDone={endRenaming} />
        ) : (
          <span className={`row gap-3 shrink ${style.title}`}>
            {activity !== "idle" && <SessionStatusDot session={session} />}
            <h1 onDoubleClick={() => setRenaming(true)}>{title}</h1>
          </span>
        )
      }
      detail={
        <span title={facts.cwd} className="row gap-3 shrink">
          {[facts.runtime, facts.model, place].filter(Boolean).join(" · ")}
          {worktree ? (
            <BranchName name={worktree.branch} title={`Worktree ${worktree.path}`} />
          ) : (
            project?.git && <ProjectBranch git={project.git} />
          )}
          {facts.sandbox && <SandboxNote sandbox={facts.sandbox} />}
          <ContainmentNote facts={facts} />
        </span>
      }
    >
      <GrantButton />
      <Menu
        label="Actions for this session"
        items={[
          { label: "Budget…", icon: "gauge", onSelect: () => setBudgetOpen(true) },
          ...actions,
        ]}
      />
      {isBudgetOpen && <SessionBudgetDialog onClose={() => setBudgetOpen(false)} />}
    </Header>
  );
}

function activityOf({ session }: SessionView): SessionActivity {
  if (Object.keys(session.requests).length > 0) return "waiting";
  return session.turn || session.queue.length > 0 ? "working" : "idle";
}
