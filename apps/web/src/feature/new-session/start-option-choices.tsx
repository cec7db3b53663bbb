import type { Project } from "@turnwire/protocol";
import { useId } from "react";
import { Choice } from "../../element/choice.tsx";
import { Icon } from "../../element/icon.tsx";
import { limitsText } from "../budget/budget-text.ts";
import style from "./start-option-choices.module.css";
import { sandboxOptions, worktreeOptions, type StartOptions } from "./start-options.ts";

interface StartOptionChoicesProps {
  readonly project: Project | undefined;
  /** Whether the chosen agent can run its commands in a sandbox. */
  readonly hasSandbox: boolean;
  readonly options: StartOptions;
  readonly branch: string;
  readonly onChange: (change: StartOptions) => void;
  readonly onBranch: (branch: string) => void;
  /** Opens the budget. */
  readonly onBudget: () => void;
}

/** Where the agent works, what holds it, and how much it may use. */
export function StartOptionChoices(props: StartOptionChoicesProps) {
  const { project, hasSandbox, options, branch, onChange, onBranch, onBudget } = props;
  const { worktree, sandbox, budget = {} } = options;
  const branchId = useId();
  const hasGit = project?.git !== undefined;
  const limits = limitsText(budget);
  return (
    <div className={`row gap-1 wrap ${style.choices}`}>
      {hasGit && (
        <Choice
          label="Where it works"
          icon="branch"
          value={worktree ?? ""}
          options={worktreeOptions}
          onChange={(value) => onChange({ worktree: value === "new" ? value : undefined })}
        />
      )}
      {hasGit && worktree === "new" && (
        <span className={`inline-row gap-1 shrink tiny faint ${style.branch}`}>
          <label htmlFor={branchId}>Branch</label>
          <input
            id={branchId}
            type="text"
            autoComplete="off"
            spellCheck={false}
            placeholder="named for you"
            value={branch}
            onChange={(event) => onBranch(event.currentTarget.value)}
            onKeyDown={(event) => {
              // Enter in this field would start the session.
              if (event.key === "Enter") event.preventDefault();
            }}
          />
        </span>
      )}
      {hasSandbox && (
        <Choice
          label="Sandbox"
          icon="box"
          value={sandbox ?? ""}
          options={sandboxOptions}
          onChange={(value) =>
            onChange({
              sandbox: value === "network" || value === "no_network" ? value : undefined,
            })
          }
        />
      )}
      <button
        type="button"
        className={`inline-row quiet gap-1 small ${style.budget}`}
        aria-haspopup="dialog"
        title="Budget"
        onClick={onBudget}
      >
        <Icon name="gauge" size={14} />
        <span>{limits === "" ? "No budget" : `Budget: ${limits}`}</span>
      </button>
    </div>
  );
}
