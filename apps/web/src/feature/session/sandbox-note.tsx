import type { SessionSandbox } from "@turnwire/protocol";
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
