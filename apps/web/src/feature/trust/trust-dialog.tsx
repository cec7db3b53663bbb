import type { SessionConfiguration, TrustFinding, TrustInfo } from "@turnwire/protocol";
import { Button } from "../../element/button.tsx";
import { CodeWords } from "../../element/code-words.tsx";
import { Dialog } from "../../element/dialog.tsx";
import { showToast } from "../../element/toast.ts";
import { kindLabel } from "./finding-words.ts";
import style from "./trust-dialog.module.css";
import { useTrust } from "./use-trust.ts";

interface TrustDialogProps {
  readonly path: string;
  /** What is in force in the session that the dialog was opened from. */
  readonly configuration?: SessionConfiguration | undefined;
  readonly onClose: () => void;
  /** Called when the person decides to leave the folder untrusted. */
  readonly onDecline?: () => void;
}

/** Exactly what a folder would configure, with the commands that would run, and the decision. */
export function TrustDialog({ path, configuration, onClose, onDecline }: TrustDialogProps) {
  const { info, problem, isBusy, accept, withdraw } = useTrust(path);
  const isTrusted = info?.status === "trusted";
  const decide = async (change: () => Promise<boolean>, words: string): Promise<void> => {
    if (!(await change())) return;
    showToast(words);
    onClose();
  };
  return (
    <Dialog title={titleOf(info)} onClose={onClose}>
      <div
        className={`stack gap-4 grow small ${style.content}`}
        tabIndex={0}
        role="region"
        aria-label="What was found"
      >
        <p className="breaks mono soft">{info?.path ?? path}</p>
        {info && <p>{explanation(info)}</p>}
        {!info && problem === undefined && <p role="status">Loading…</p>}
        <div role="alert">
          {(problem ?? info?.problem) !== undefined && (
            <p className="alert">
              <CodeWords text={problem ?? info?.problem ?? ""} />
            </p>
          )}
        </div>
        {info && (
          <>
            <FindingList
              title="Can run commands or permit them"
              findings={info.findings.filter(({ can_execute }) => can_execute)}
            />
            <FindingList
              title="Read by the agent"
              findings={info.findings.filter(({ can_execute }) => !can_execute)}
            />
            {info.is_truncated && <p>There is more than is listed here.</p>}
            {info.not_covered.length > 0 && <NotCovered sentences={info.not_covered} />}
          </>
        )}
        {configuration && <InForce configuration={configuration} />}
      </div>
      <footer className={`flow gap-3 end rigid ${style.foot}`}>
        {isTrusted ? (
          <>
            <Button
              look="danger"
              disabled={isBusy}
              onClick={() =>
                void decide(withdraw, "No longer trusted. Agents notice at their next start.")
              }
            >
              Stop trusting
            </Button>
            <Button onClick={onClose}>Close</Button>
          </>
        ) : (
          <>
            <Button
              onClick={() => {
                onDecline?.();
                onClose();
              }}
            >
              Not now
            </Button>
            <Button
              look="strong"
              disabled={isBusy || !canTrust(info)}
              onClick={() =>
                void decide(accept, "Trusted. It takes effect at the agent's next start.")
              }
            >
              Trust this folder
            </Button>
          </>
        )}
      </footer>
    </Dialog>
  );
}

/** The things that may change without ending the trust. */
function NotCovered({ sentences }: { readonly sentences: readonly string[] }) {
  return (
    <section className="stack gap-2">
      <h3 className="tiny soft">Can change without you being asked again</h3>
      <ul className="stack gap-1 breaks">
        {sentences.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </section>
  );
}

function canTrust(info: TrustInfo | undefined): boolean {
  return info !== undefined && info.status !== "none" && info.problem === undefined;
}

function titleOf(info: TrustInfo | undefined): string {
  switch (info?.status) {
    case "trusted":
      return "This folder is trusted";
    case "changed":
      return "This folder has changed";
    case "none":
      return "Nothing to trust";
    case "untrusted":
    case undefined:
      return "Trust this folder?";
  }
}

function explanation({ status, trusted_path, path, findings }: TrustInfo): string {
  switch (status) {
    case "trusted":
      return trusted_path !== undefined && trusted_path !== path
        ? `Agents that work here use what it configures, because ${trusted_path} is trusted.`
        : "Agents that work here use what it configures.";
    case "changed":
      return "You trusted it, but what it can run is different now. Nothing of it is used until you have looked at it again.";
    case "untrusted":
      return findings.some(({ can_execute }) => can_execute)
        ? "Agents that work here would follow these files, and these commands could run without asking. Trust the folder only if you know where they come from."
        : "Agents that work here would follow these files. Trust the folder only if you know where they come from.";
    case "none":
      return "The folder configures nothing.";
  }
}

interface FindingListProps {
  readonly title: string;
  readonly findings: readonly TrustFinding[];
}

function FindingList({ title, findings }: FindingListProps) {
  if (findings.length === 0) return null;
  return (
    <section className="stack gap-2">
      <h3 className="tiny soft">{title}</h3>
      <ul className={`rows ${style.findings}`}>
        {findings.map(({ kind, path, name, detail, runtimes }, place) => (
          // Two hooks of one file can be equal in everything.
          <li key={`${place} ${kind} ${path}`} className="stack gap-1">
            <span className={`line wrap ${style.what}`}>
              {kindLabel(kind)} {name !== undefined && name !== path && <strong>{name}</strong>}
              <span className="breaks tiny mono soft">{path}</span>
              <span className={`tiny faint ${style.runtimes}`}>{runtimes.join(", ")}</span>
            </span>
            {detail !== undefined && <pre className={`breaks ${style.detail}`}>{detail}</pre>}
          </li>
        ))}
      </ul>
    </section>
  );
}

const parts = [
  ["instructions", "Instructions"],
  ["agents", "Agents"],
  ["skills", "Skills"],
  ["commands", "Commands"],
  ["mcp_servers", "MCP servers"],
  ["hooks", "Hooks"],
] as const;

/** What an agent takes from files now. */
function InForce({ configuration }: { readonly configuration: SessionConfiguration }) {
  const shown = parts.filter(([name]) => configuration[name].length > 0);
  return (
    <section className="stack gap-2">
      <h3 className="tiny soft">In force in this session</h3>
      <dl className={`stack gap-1 ${style.force}`}>
        {shown.map(([name, label]) => (
          <div key={name} className="flow gap-3">
            <dt>{label}</dt>
            <dd>{configuration[name].join(", ")}</dd>
          </div>
        ))}
        <div>
          <dt>Your own settings</dt>
          <dd>{configuration.user_settings ? "Used" : "Not used"}</dd>
        </div>
      </dl>
    </section>
  );
}
