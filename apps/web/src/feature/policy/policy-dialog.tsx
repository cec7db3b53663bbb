import { detach } from "@turnwire/base";
import type { PolicyFileInfo, PolicyInfo, PolicyModeInfo, PolicyQuery } from "@turnwire/protocol";
import { useRef, useState } from "react";
import { CodeWords } from "../../element/code-words.tsx";
import { Dialog } from "../../element/dialog.tsx";
import { showError } from "../../element/toast.ts";
import { policyModeLabel } from "./policy-mode-option.ts";
import style from "./policy-dialog.module.css";
import { RuleRow } from "./rule-row.tsx";
import { ruleSubject } from "./rule-text.ts";
import { usePolicy, useRuleChanges } from "./use-policy.ts";

interface PolicyDialogProps {
  /** A session or directory: its project may have a policy of its own. */
  readonly query: PolicyQuery;
  readonly onClose: () => void;
}

/** What agents may do by policy: a person's own rules, the files it comes from with their problems, and the modes. */
export function PolicyDialog({ query, onClose }: PolicyDialogProps) {
  const { policy, problem } = usePolicy(query);
  return (
    <Dialog title="Policy" onClose={onClose}>
      <div className="dialog-body stack gap-5 small" tabIndex={0} role="region" aria-label="Policy">
        {!policy && problem === undefined && <p role="status">Loading…</p>}
        <div role="alert" className="if-any">
          {problem !== undefined && <p className="breaks bad">{problem}</p>}
        </div>
        {policy && (
          <>
            <Files files={policy.files} />
            <Rules policy={policy} />
            <Modes modes={policy.modes} />
            <p className="breaks tiny faint">
              Policy version <code>{policy.version}</code>
            </p>
          </>
        )}
      </div>
    </Dialog>
  );
}

/** A person's own rules. */
function Rules({ policy }: { readonly policy: PolicyInfo }) {
  const { rules, modes, can_edit: canEdit } = policy;
  const { change, revoke } = useRuleChanges();
  const list = useRef<HTMLUListElement>(null);
  const [news, setNews] = useState("");
  return (
    <section className="stack gap-2">
      <h3 className="tiny soft">{canEdit ? "Allowed by you" : "Allowed from now on"}</h3>
      <p role="status" className="if-any">
        {news}
      </p>
      {rules.length === 0 ? (
        <p className="breaks tiny soft">
          {canEdit
            ? "Nothing. When an agent asks because of the policy, you can allow the same from now on."
            : "Only an admin of this server can see and change these rules."}
        </p>
      ) : (
        <ul ref={list} tabIndex={-1} className={`rows ${style.list}`} aria-label="Rules">
          {rules.map((rule) => (
            <RuleRow
              key={rule.id}
              rule={rule}
              modes={modes.map(({ name }) => name)}
              canEdit={canEdit}
              onSave={async (written) => {
                await change(rule.id, written);
                setNews("The rule is changed. It holds from the next tool call on.");
                list.current?.focus();
              }}
              onRevoke={() =>
                detach(
                  revoke(rule.id).then(() => {
                    setNews(`Revoked: ${ruleSubject(rule).replaceAll("`", "")}`);
                    // The pressed button disappears with its row.
                    list.current?.focus();
                  }),
                  showError,
                )
              }
            />
          ))}
        </ul>
      )}
    </section>
  );
}

const fileStates: Readonly<Record<PolicyFileInfo["status"], string>> = {
  loaded: "In force",
  broken: "Has problems",
  untrusted: "Not in force: the project is not trusted",
};

/** The files that the policy comes from; those with problems say which. */
function Files({ files }: { readonly files: readonly PolicyFileInfo[] }) {
  if (files.length === 0) return null;
  return (
    <section className="stack gap-2">
      <h3 className="tiny soft">Files</h3>
      <ul className={`rows ${style.list}`}>
        {files.map((file) => (
          <li key={file.path} className={`stack gap-1 ${style.file}`} data-status={file.status}>
            <bdi className="breaks tiny mono">{file.path}</bdi>
            <span className={`tiny ${style.state}`}>{fileStates[file.status]}</span>
            {file.status === "broken" && (
              <p className="breaks tiny soft">
                {file.has_earlier === true
                  ? "What it said before is still in force."
                  : "Nothing of it is in force."}
              </p>
            )}
            {file.problems && file.problems.length > 0 && (
              <ul className={`stack gap-1 breaks ${style.problems}`}>
                {file.problems.map((problem) => (
                  <li key={problem}>
                    <CodeWords text={problem} />
                  </li>
                ))}
              </ul>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

const levels: Readonly<Record<PolicyModeInfo["level"], string>> = {
  built_in: "built in",
  user: "your own",
  project: "this project’s",
};

function Modes({ modes }: { readonly modes: readonly PolicyModeInfo[] }) {
  return (
    <section className="stack gap-2">
      <h3 className="tiny soft">Modes</h3>
      <ul className={`rows ${style.list}`}>
        {modes.map(({ name, description, level, problem }) => (
          <li key={name} className={`line wrap ${style.mode}`}>
            <strong>{policyModeLabel(name)}</strong>
            <span className="tiny faint">{levels[level]}</span>
            <p className="breaks tiny soft">{description}</p>
            {problem !== undefined && (
              <p className="breaks bad">
                <CodeWords text={problem} />
              </p>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
