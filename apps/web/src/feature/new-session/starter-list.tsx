import type { Capabilities } from "@turnwire/protocol";
import style from "./starter-list.module.css";

interface StarterListProps {
  readonly commands: Capabilities["slash_commands"];
  readonly onChoose: (text: string) => void;
}

const SHOWN = 6;

/** Commands that the agent suggests; a click puts one into the field without sending it. */
export function StarterList({ commands, onChoose }: StarterListProps) {
  if (commands.length === 0) return null;
  return (
    <ul className={style.list} aria-label="To begin with">
      {commands.slice(0, SHOWN).map(({ name, description }) => {
        const text = `/${name.replace(/^\//, "")}`;
        return (
          <li key={name}>
            <button type="button" onClick={() => onChoose(text)}>
              <code>{text}</code>
              {description !== undefined && <span>{description}</span>}
            </button>
          </li>
        );
      })}
    </ul>
  );
}
