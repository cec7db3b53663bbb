import type { RuntimeInfo } from "@turnwire/protocol";
import { CodeWords } from "../../element/code-words.tsx";
import { CopyButton } from "../../element/copy-button.tsx";
import style from "./connection-steps.module.css";

interface ConnectionStepsProps {
  readonly steps: NonNullable<RuntimeInfo["connection"]["steps"]>;
}

/** The ways to connect an agent, each with the command to copy. */
export function ConnectionSteps({ steps }: ConnectionStepsProps) {
  return (
    <ul className={`stack gap-3 small ${style.steps}`}>
      {steps.map(({ text, command }) => (
        <li key={`${text} ${command ?? ""}`}>
          <span>
            <CodeWords text={text} />
          </span>
          {command !== undefined && (
            <div className={`row gap-2 ${style.command}`}>
              <code>{command}</code>
              <CopyButton text={() => command} label={`Copy ${command}`} className={style.copy} />
            </div>
          )}
        </li>
      ))}
    </ul>
  );
}
