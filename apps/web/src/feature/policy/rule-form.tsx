import type { WrittenPolicyRule } from "@turnwire/protocol";
import { useEffect, useId, useRef, useState, type ReactNode } from "react";
import { Button } from "../../element/button.tsx";
import { CodeWords } from "../../element/code-words.tsx";
import { plainError } from "../../element/plain-error.ts";
import { policyModeLabel } from "./policy-mode-option.ts";
import style from "./rule-form.module.css";
import { ruleValue, withRuleValue } from "./rule-text.ts";

interface RuleFormProps {
  /** What the rule says at first. */
  readonly rule: WrittenPolicyRule;
  /** The modes that it can be for. */
  readonly modes: readonly string[];
  /** The directory that it can be for. */
  readonly project?: string | undefined;
  readonly saveLabel: string;
  readonly cancelLabel?: string;
  /** Whether this person may save it; true by default. */
  readonly canSave?: boolean;
  /** Rejects with what is wrong. */
  readonly onSave: (rule: WrittenPolicyRule) => Promise<void>;
  readonly onCancel: () => void;
  readonly children?: ReactNode;
}

const valueLabels: Readonly<Record<WrittenPolicyRule["kind"], string>> = {
  argv: "Commands that begin with",
  tool: "The tool",
  path: "The path",
  host: "The host",
};

const EVERY = "";

/** Edits a rule before it is saved. Escape leaves it as it was. */
export function RuleForm(props: RuleFormProps) {
  const { rule: given, modes, project, saveLabel, cancelLabel = "Cancel" } = props;
  const { canSave = true, onSave, onCancel, children } = props;
  const id = useId();
  const [rule, setRule] = useState(given);
  const [text, setText] = useState(() => ruleValue(given));
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const directory = given.project ?? project;
  const save = async (): Promise<void> => {
    const written = withRuleValue(rule, text);
    if ("problem" in written) {
      setProblem(written.problem);
      field.current?.focus();
      return;
    }
    setBusy(true);
    try {
      await onSave(written.rule);
    } catch (error) {
      setProblem(plainError(error));
      field.current?.focus();
    } finally {
      setBusy(false);
    }
  };
  return (
    <form
      className="stack gap-3 shrink"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        // Else the window or card around it would take the key.
        event.preventDefault();
        event.stopPropagation();
        onCancel();
      }}
    >
      {children}
      <div className={style.fields}>
        <div className={`stack gap-1 shrink ${style.field}`} data-wide="true">
          <label className="tiny soft" htmlFor={`${id}-value`}>
            {valueLabel(rule)}
          </label>
          <input
            ref={field}
            id={`${id}-value`}
            type="text"
            className="input mono"
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            value={text}
            aria-invalid={problem !== undefined}
            aria-describedby={problem === undefined ? undefined : `${id}-problem`}
            onChange={(event) => {
              setText(event.currentTarget.value);
              setProblem(undefined);
            }}
          />
        </div>
        {rule.kind === "argv" && (
          <label className={`row gap-2 small ${style.check}`}>
            <input
              type="checkbox"
              checked={rule.is_exact === true}
              onChange={(event) => setRule({ ...rule, is_exact: event.currentTarget.checked })}
            />
            Only with exactly these words
          </label>
        )}
        {rule.kind === "path" && (
          <Select
            label="What may be done"
            value={rule.access}
            options={[
              { value: "read", label: "Read it" },
              { value: "write", label: "Write it" },
            ]}
            onChange={(access) =>
              setRule({ ...rule, access: access === "write" ? "write" : "read" })
            }
          />
        )}
        <Select
          label="Mode"
          value={rule.mode ?? EVERY}
          options={[...new Set([...(given.mode === undefined ? [] : [given.mode]), ...modes])]
            .map((mode) => ({ value: mode, label: `Only in ${policyModeLabel(mode)}` }))
            .concat({ value: EVERY, label: "In every mode" })}
          onChange={(mode) => setRule(withScope(rule, { mode: mode === EVERY ? undefined : mode }))}
        />
        <Select
          label="Where"
          value={rule.project ?? EVERY}
          options={[
            ...(directory === undefined
              ? []
              : [{ value: directory, label: `Only in ${directory}` }]),
            { value: EVERY, label: "In every project" },
          ]}
          onChange={(where) =>
            setRule(withScope(rule, { project: where === EVERY ? undefined : where }))
          }
        />
      </div>
      <div role="alert">
        {problem !== undefined && (
          <p id={`${id}-problem`} className="breaks small bad">
            <CodeWords text={problem} />
          </p>
        )}
      </div>
      <div className="buttons">
        <Button look="strong" type="submit" disabled={isBusy || !canSave}>
          {saveLabel}
        </Button>
        <Button onClick={onCancel}>{cancelLabel}</Button>
      </div>
    </form>
  );
}

function valueLabel(rule: WrittenPolicyRule): string {
  return rule.kind === "argv" && rule.is_exact === true ? "The command" : valueLabels[rule.kind];
}

/** A rule for another mode or place; undefined: for all. */
function withScope(
  rule: WrittenPolicyRule,
  scope: { readonly mode?: string | undefined } | { readonly project?: string | undefined },
): WrittenPolicyRule {
  const { mode, project, ...rest } = rule;
  const next = { mode, project, ...scope };
  return {
    ...rest,
    ...(next.mode !== undefined && { mode: next.mode }),
    ...(next.project !== undefined && { project: next.project }),
  };
}

interface SelectProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly onChange: (value: string) => void;
}

function Select({ label, value, options, onChange }: SelectProps) {
  const id = useId();
  return (
    <div className={`stack gap-1 shrink ${style.field}`}>
      <label className="tiny soft" htmlFor={id}>
        {label}
      </label>
      <select
        id={id}
        className="input"
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </div>
  );
}
