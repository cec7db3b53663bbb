import type { RuntimeInfo } from "@turnwire/protocol";
import style from "./starter-list.module.css";

interface StarterListProps {
  readonly runtime: RuntimeInfo | undefined;
  readonly onChoose: (text: string) => void;
}

interface Starter {
  readonly text: string;
  readonly description: string;
}

const SHOWN = 6;

const tasks: readonly Starter[] = [
  {
    text: "Explain how this project is organized and where to start reading.",
    description: "Get to know a project",
  },
  {
    text: "Run the tests. If one fails, find the cause and fix it.",
    description: "Fix a failing test",
  },
  {
    text: "Review my uncommitted changes: look for mistakes and missing tests.",
    description: "Review your changes",
  },
];

/** Ways to begin; a click puts one into the field without sending it. */
export function StarterList({ runtime, onChoose }: StarterListProps) {
  if (!runtime?.is_available) return null;
  const isScripted = runtime.connection.status === "scripted";
  const starters = isScripted ? demoStarters(runtime) : tasks;
  if (starters.length === 0) return null;
  const title = isScripted ? "What the demo can show" : "Get started";
  return (
    <section className="stack gap-2" aria-label={title}>
      <h2 className="small soft">{title}</h2>
      <ul className={style.list}>
        {starters.map(({ text, description }) => (
          <li key={text}>
            <button type="button" className="frame stack gap-1" onClick={() => onChoose(text)}>
              <span className={`small medium ${style.title}`}>{description}</span>
              <span className={`pretty tiny soft ${style.text}`}>{text}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function demoStarters({ capabilities }: RuntimeInfo): readonly Starter[] {
  return capabilities.slash_commands.slice(0, SHOWN).map(({ name, description }) => {
    const text = `/${name.replace(/^\//, "")}`;
    return { text, description: description ?? text };
  });
}
