import type { DiffFile } from "../block/diff-file.ts";
import { Prose } from "../prose/prose.tsx";
import { CopyButton } from "./copy-button.tsx";
import style from "./permission-subject-view.module.css";
import type { PermissionSubject } from "./permission-subject.ts";

/** Exactly what will be done: the command, the change, the plan, or the whole input. */
export function PermissionSubjectView({ subject }: { readonly subject: PermissionSubject }) {
  switch (subject.type) {
    case "command":
      return (
        <div className={style.box}>
          <pre className={style.command} tabIndex={0} aria-label="Command">
            {subject.command}
          </pre>
          <CopyButton text={subject.command} label="Copy the command" />
          {subject.place !== undefined && <p className={style.place}>in {subject.place}</p>}
        </div>
      );
    case "change":
      return subject.files.map((file) => <ChangedFile key={file.path} file={file} />);
    case "plan":
      return (
        <div className={style.plan} tabIndex={0} role="region" aria-label="Plan">
          <Prose text={subject.plan} />
        </div>
      );
    case "input": {
      const text = JSON.stringify(subject.input, null, 2);
      return (
        <div className={style.box}>
          <pre className={style.command} tabIndex={0} aria-label="Input">
            {text}
          </pre>
          <CopyButton text={text} label="Copy the input" />
        </div>
      );
    }
  }
}

function ChangedFile({ file }: { readonly file: DiffFile }) {
  return (
    <pre className={style.diff} tabIndex={0} aria-label={`Change of ${file.path}`}>
      {file.hunks.flatMap(({ lines }, hunk) =>
        lines.map(({ kind, text }, line) => (
          <span key={`${hunk} ${line}`} data-kind={kind}>
            {`${signs[kind]} ${text}\n`}
          </span>
        )),
      )}
    </pre>
  );
}

const signs = { context: " ", added: "+", removed: "-" } as const;
