import { containmentProblem, type SessionSandbox, type SessionState } from "@turnwire/protocol";
import { Icon } from "../../element/icon.tsx";
import style from "./sandbox-note.module.css";

/** Which sandbox is in force. */
export function SandboxNote({ sandbox }: { readonly sandbox: SessionSandbox }) {
  return (
    <span
      className={`inline-row gap-1 rigid tiny faint ${style.note}`}
      title="Commands of the agent run in a sandbox and write only where it works."
    >
      <Icon name="box" size={12} />
      <span className={style.words}>{sandbox.network ? "Sandbox" : "Sandbox, no network"}</span>
    </span>
  );
}

/** A policy mode that only the policy holds: commands are not contained here. */
export function ContainmentNote({ facts }: { readonly facts: SessionState["session"] }) {
  const problem = containmentProblem(facts);
  if (problem === undefined) return null;
  return (
    <span
      className={`inline-row gap-1 rigid tiny faint ${style.note}`}
      title={`The policy mode asks about all but plain commands: ${problem}`}
    >
      <Icon name="warning" size={12} />
      <span className={style.words}>Not contained</span>
    </span>
  );
}
