import { DiffView } from "../block/diff-view.tsx";
import { CopyButton } from "../../element/copy-button.tsx";
import { Prose } from "../../element/prose/prose.tsx";
import style from "./permission-subject-view.module.css";
import type { PermissionSubject } from "./permission-subject.ts";

interface PermissionSubjectViewProps {
  /** The request's. */
  readonly id: string;
  readonly subject: PermissionSubject;
}

/** Exactly what will be done: the command, the change, the plan, or the whole input. */
export function PermissionSubjectView({ id, subject }: PermissionSubjectViewProps) {
  switch (subject.type) {
    case "command":
      return (
        <div className={style.box}>
          <pre className={`breaks small ${style.command}`} tabIndex={0} aria-label="Command">
            {subject.command}
          </pre>
          <CopyButton text={() => subject.command} label="Copy the command" />
          {subject.place !== undefined && (
            <p className={`breaks tiny mono faint ${style.place}`}>in {subject.place}</p>
          )}
        </div>
      );
    case "change":
      return <DiffView id={`request ${id}`} files={subject.files} />;
    case "plan":
      return (
        <div className={style.plan} tabIndex={0} role="region" aria-label="Plan">
          {subject.plan === "" ? (
            <p>The agent is ready to start. It gave no plan text.</p>
          ) : (
            <Prose text={subject.plan} />
          )}
        </div>
      );
    case "input": {
      const text = JSON.stringify(subject.input, null, 2);
      return (
        <div className={style.box}>
          <pre className={`breaks small ${style.command}`} tabIndex={0} aria-label="Input">
            {text}
          </pre>
          <CopyButton text={() => text} label="Copy the input" />
        </div>
      );
    }
  }
}
