import type { JsonObject, WrittenPolicyRule } from "@turnwire/protocol";
import { useEffect, useId, useRef, useState } from "react";
import { Button } from "../../element/button.tsx";
import { SuggestedRuleForm } from "../policy/suggested-rule-form.tsx";
import { KeyButton } from "./key-button.tsx";
import style from "./permission-actions.module.css";
import { useCardFocus } from "./request-card-context.ts";
import { suggestionText } from "./suggestion.ts";

interface PermissionActionsProps {
  /** What could be allowed from now on. */
  readonly suggestions: readonly JsonObject[];
  /** The rule of the policy that would allow this from now on. */
  readonly rule: WrittenPolicyRule | undefined;
  /** Why this person cannot save that rule. */
  readonly ruleRefusal: string | undefined;
  readonly isPlan: boolean;
  /** The person is choosing what to allow always. */
  readonly isChoosing: boolean;
  readonly onAllow: () => void;
  readonly onAllowAlways: (chosen: readonly JsonObject[]) => void;
  readonly onChoose: (isChoosing: boolean) => void;
  readonly onEdit?: (() => void) | undefined;
}

/** Allows: once, from now on, or with changes. */
export function PermissionActions(props: PermissionActionsProps) {
  const { suggestions, rule, ruleRefusal, isPlan, isChoosing } = props;
  const { onAllow, onAllowAlways, onChoose, onEdit } = props;
  const focusCard = useCardFocus();
  const refusalId = useId();
  if (isChoosing && rule) {
    return (
      <SuggestedRuleForm
        rule={rule}
        refusal={ruleRefusal}
        onSaved={onAllow}
        onCancel={() => {
          onChoose(false);
          focusCard();
        }}
      />
    );
  }
  if (isChoosing) {
    return (
      <SuggestionForm
        suggestions={suggestions}
        onAllow={onAllowAlways}
        onCancel={() => onChoose(false)}
      />
    );
  }
  return (
    <div className="buttons">
      <KeyButton look="strong" shortcut="y" onClick={onAllow}>
        {isPlan ? "Run plan" : "Allow once"}
      </KeyButton>
      {(rule || suggestions.length > 0) && (
        <KeyButton
          shortcut="a"
          disabled={ruleRefusal !== undefined}
          aria-describedby={ruleRefusal === undefined ? undefined : refusalId}
          onClick={() => onChoose(true)}
        >
          {alwaysLabel(isPlan, rule !== undefined)}
        </KeyButton>
      )}
      {onEdit && (
        <KeyButton shortcut="e" onClick={onEdit}>
          Edit
        </KeyButton>
      )}
      {ruleRefusal !== undefined && (
        <p id={refusalId} className={`small soft ${style.refusal}`}>
          {ruleRefusal}
        </p>
      )}
    </div>
  );
}

function alwaysLabel(isPlan: boolean, isRule: boolean): string {
  if (isRule) return "Allow from now on…";
  return isPlan ? "Run plan and allow…" : "Allow always…";
}

interface SuggestionFormProps {
  readonly suggestions: readonly JsonObject[];
  readonly onAllow: (chosen: readonly JsonObject[]) => void;
  readonly onCancel: () => void;
}

/** Shows what would be allowed; the first suggestion, the narrowest, is chosen already. */
function SuggestionForm({ suggestions, onAllow, onCancel }: SuggestionFormProps) {
  const [chosen, setChosen] = useState<readonly JsonObject[]>(suggestions.slice(0, 1));
  const first = useRef<HTMLInputElement>(null);
  useEffect(() => first.current?.focus(), []);
  const focusCard = useCardFocus();
  const cancel = (): void => {
    onCancel();
    focusCard();
  };
  const toggle = (suggestion: JsonObject): void =>
    setChosen(
      chosen.includes(suggestion)
        ? chosen.filter((other) => other !== suggestion)
        : [...chosen, suggestion],
    );
  return (
    <form
      className="stack gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (chosen.length > 0) onAllow(chosen);
      }}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.preventDefault();
        cancel();
      }}
    >
      <p className="small soft">From now on, without asking:</p>
      {suggestions.map((suggestion, index) => (
        <label
          key={JSON.stringify(suggestion)}
          className={`line gap-3 breaks small ${style.suggestion}`}
        >
          <input
            ref={index === 0 ? first : undefined}
            type="checkbox"
            checked={chosen.includes(suggestion)}
            onChange={() => toggle(suggestion)}
          />
          {suggestionText(suggestion)}
        </label>
      ))}
      <div className="buttons">
        <Button look="strong" type="submit" disabled={chosen.length === 0}>
          Allow always
        </Button>
        <Button onClick={cancel}>Back</Button>
      </div>
    </form>
  );
}
