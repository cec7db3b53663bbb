import type { RuntimeInfo } from "@turnwire/protocol";
import { useId, useState } from "react";
import { Button } from "../../element/button.tsx";
import { CodeWords } from "../../element/code-words.tsx";
import { Icon } from "../../element/icon.tsx";
import style from "./agent-cards.module.css";
import { connectionWords } from "./chosen-runtime.ts";
import { ConnectionSteps } from "./connection-steps.tsx";
import type { Runtimes } from "./use-runtimes.ts";

interface AgentCardsProps {
  readonly runtimes: Runtimes;
  readonly chosen: RuntimeInfo | undefined;
  readonly onChoose: (name: string) => void;
  /** What is wrong with the choice. */
  readonly problem: string | undefined;
}

/** The agents to choose from: which are connected, and how to connect the others. */
export function AgentCards({ runtimes, chosen, onChoose, problem }: AgentCardsProps) {
  const id = useId();
  const { list, isLoaded, isChecking, checks, checkAgain } = runtimes;
  const [areAllShown, setAllShown] = useState(false);
  const { usual, special } = byPurpose(list);
  const shownSpecial = special.filter(({ name }) => areAllShown || name === chosen?.name);
  const shown = [...usual, ...shownSpecial];
  const isMissingOne = shown.some(isUnconnected);
  const cardsOf = (some: readonly RuntimeInfo[]) =>
    some.map((runtime) => (
      <AgentCard
        key={runtime.name}
        runtime={runtime}
        group={id}
        isChosen={runtime.name === chosen?.name}
        onChoose={() => onChoose(runtime.name)}
      />
    ));
  const hasAgent = list.some(({ connection }) => connection.status === "connected");
  if (!isLoaded && runtimes.problem === undefined) return <div className={style.loading} />;
  return (
    <section className="stack gap-2" aria-labelledby={id}>
      <div className={`row gap-3 spread ${style.head}`}>
        <h2 id={id} className="small soft">
          {hasAgent ? "Agent" : "Connect an agent, or try the demo"}
        </h2>
        {isMissingOne && (
          <Button className={style.check} disabled={isChecking} onClick={checkAgain}>
            <Icon name="refresh" size={14} /> {isChecking ? "Checking…" : "Check again"}
          </Button>
        )}
      </div>
      <div className="stack gap-2" role="radiogroup" aria-labelledby={id}>
        <div className={`if-any ${style.cards}`}>{cardsOf(usual)}</div>
        {special.length > 0 && (
          <>
            <button
              type="button"
              className={`row quiet gap-2 small ${style.more}`}
              aria-expanded={areAllShown}
              aria-controls={`${id}-more`}
              onClick={() => setAllShown(!areAllShown)}
            >
              <Icon name={areAllShown ? "chevron_down" : "chevron_right"} size={12} /> More agents
            </button>
            <div id={`${id}-more`} className={`if-any ${style.cards}`}>
              {cardsOf(shownSpecial)}
            </div>
          </>
        )}
      </div>
      <p className="if-any small soft" role="status">
        {checks > 0 && !isChecking ? checkedWords(shown) : ""}
      </p>
      <div role="alert">
        {(problem ?? runtimes.problem) !== undefined && (
          <p className="alert">
            <CodeWords text={problem ?? runtimes.problem ?? ""} />
          </p>
        )}
      </div>
    </section>
  );
}

/** Those for special cases apart; where there are no others, all are usual. */
function byPurpose(runtimes: readonly RuntimeInfo[]): {
  readonly usual: readonly RuntimeInfo[];
  readonly special: readonly RuntimeInfo[];
} {
  const usual = runtimes.filter(({ special_purpose }) => special_purpose === undefined);
  if (usual.length === 0) return { usual: runtimes, special: [] };
  return { usual, special: runtimes.filter((runtime) => !usual.includes(runtime)) };
}

function isUnconnected({ connection: { status } }: RuntimeInfo): boolean {
  return status === "not_connected" || status === "not_installed";
}

function checkedWords(runtimes: readonly RuntimeInfo[]): string {
  const missing = runtimes.filter(isUnconnected).map(({ label }) => label);
  return missing.length === 0
    ? "Everything is connected."
    : `Still missing: ${missing.join(", ")}.`;
}

interface AgentCardProps {
  readonly runtime: RuntimeInfo;
  readonly group: string;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}

function AgentCard({ runtime, group, isChosen, onChoose }: AgentCardProps) {
  const { label, special_purpose: purpose, connection } = runtime;
  const purposeId = useId();
  const steps = connection.steps ?? [];
  const version = connection.version === undefined ? undefined : `version ${connection.version}`;
  const facts = [connection.account, version].filter(Boolean).join(" · ");
  return (
    <div
      className={`panel stack ${style.card}`}
      data-chosen={isChosen}
      data-status={connection.status}
    >
      <label className={style.choice}>
        <input
          type="radio"
          name={group}
          checked={isChosen}
          onChange={onChoose}
          aria-describedby={purpose === undefined ? undefined : purposeId}
        />
        <span className="strong">{label}</span>
        <span className={`row gap-2 tiny soft ${style.status}`}>
          <span className={`dot ${style.dot}`} /> {connectionWords(runtime)}
        </span>
      </label>
      {purpose !== undefined && (
        <p id={purposeId} className={`tiny soft ${style.purpose}`}>
          {purpose}
        </p>
      )}
      {facts !== "" && <p className={`breaks tiny faint ${style.facts}`}>{facts}</p>}
      {isUnconnected(runtime) && (
        // Folded unless chosen: opened, all of them push the message field out of sight.
        <details className={`small ${style.setup}`} open={isChosen}>
          <summary>How to connect {label}</summary>
          {runtime.problem !== undefined && steps.length === 0 && (
            <p>
              <CodeWords text={runtime.problem} />
            </p>
          )}
          <ConnectionSteps steps={steps} />
        </details>
      )}
    </div>
  );
}
