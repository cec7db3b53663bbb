import { detach, isObject } from "@turnwire/base";
import type { JsonValue } from "@turnwire/protocol";
import type { ComponentProps, UnsentEntry } from "@turnwire/react";
import { useEffect, useMemo, useRef, useState } from "react";
import { Button } from "../../../element/button.tsx";
import { counted } from "../../../element/figure.ts";
import { IconButton } from "../../../element/icon-button.tsx";
import { showError, showToast } from "../../../element/toast.ts";
import { ComponentFrame } from "./component-frame.tsx";
import style from "./plan-editor.module.css";
import {
  changeSteps,
  editedSteps,
  isSamePlan,
  planEditFrom,
  type EditedStep,
  type StepChange,
} from "./plan-steps.ts";
import { listFrom, objectFrom, optionalTextFrom, textFrom } from "./property.ts";

export interface PlanEditorProps {
  readonly title: string | undefined;
  readonly steps: readonly string[];
}

export function planEditorPropsFrom(value: unknown): PlanEditorProps {
  const source = objectFrom(value);
  return {
    title: optionalTextFrom(source, "title"),
    steps: listFrom(source, "steps", (step) => textFrom(objectFrom(step, "step"), "text")),
  };
}

/** A plan that the person may change before it runs. */
export function PlanEditor(component: ComponentProps<PlanEditorProps>) {
  const { props, respond, callback, progress, unsent } = component;
  const { steps, change, isBehind, reset, markSent } = useEditedPlan(props.steps, unsent);
  const list = useRef<HTMLOListElement>(null);
  const focusAfter = useStepFocus(list);
  const isResponding = progress?.status === "responding";
  const isEnded = progress?.outcome !== undefined;
  const written = steps
    .map(({ text }) => ({ text: text.trim() }))
    .filter(({ text }) => text !== "");
  const save = async (): Promise<void> => {
    await callback("save", { steps: written });
    markSent();
    showToast("Sent to the agent");
  };
  const answer = (value: JsonValue): void => {
    markSent();
    respond?.(value);
  };
  const actions = respond ? (
    <>
      <Button
        look="strong"
        disabled={isResponding || written.length === 0}
        onClick={() => answer({ approved: true, steps: written })}
      >
        Run plan
      </Button>
      <Button disabled={isResponding} onClick={() => answer({ approved: false })}>
        Reject
      </Button>
    </>
  ) : (
    <Button look="strong" onClick={() => detach(save(), showError)}>
      Save
    </Button>
  );
  if (isEnded) return <EndedPlan {...component} />;
  return (
    <ComponentFrame
      title={props.title ?? "Plan"}
      note={counted(steps.length, "step")}
      actions={actions}
    >
      {isBehind && (
        <p className={`row gap-1 wrap soft ${style.behind}`} role="status">
          The agent has changed this plan since you edited it.
          <button type="button" className={`small medium ${style.add}`} onClick={reset}>
            Use the agent’s plan
          </button>
        </p>
      )}
      <ol ref={list} className={`stack gap-1 ${style.steps}`}>
        {steps.map(({ key, text }, index) => (
          <li key={key}>
            <textarea
              rows={1}
              aria-label={`Step ${index + 1}`}
              value={text}
              onChange={(event) => change({ type: "write", key, text: event.currentTarget.value })}
            />
            <IconButton
              icon="arrow_up"
              label={`Move step ${index + 1} up`}
              disabled={index === 0}
              onClick={() => {
                change({ type: "move", key, by: -1 });
                // A button at the edge is disabled, and would lose the focus.
                if (index === 1) focusAfter(0);
              }}
            />
            <IconButton
              icon="arrow_down"
              label={`Move step ${index + 1} down`}
              disabled={index === steps.length - 1}
              onClick={() => {
                change({ type: "move", key, by: 1 });
                if (index === steps.length - 2) focusAfter(steps.length - 1);
              }}
            />
            <IconButton
              icon="close"
              label={`Remove step ${index + 1}`}
              onClick={() => {
                change({ type: "remove", key });
                focusAfter(Math.min(index, steps.length - 2));
              }}
            />
          </li>
        ))}
      </ol>
      <button
        type="button"
        className={`small medium ${style.add}`}
        onClick={() => {
          change({ type: "add" });
          focusAfter(steps.length);
        }}
      >
        Add a step
      </button>
    </ComponentFrame>
  );
}

/** A plan that was answered: as it was approved, or as the agent proposed it. */
function EndedPlan({ props, value }: ComponentProps<PlanEditorProps>) {
  const approved = isObject(value) && Array.isArray(value["steps"]) ? value["steps"] : undefined;
  const texts = approved?.map((step) => (isObject(step) ? step["text"] : undefined));
  const steps = texts?.filter((text) => typeof text === "string") ?? props.steps;
  return (
    <ComponentFrame title={props.title ?? "Plan"} note={counted(steps.length, "step")}>
      <ol className={`stack gap-1 soft ${style.ended}`}>
        {steps.map((text, index) => (
          <li key={index}>{text}</li>
        ))}
      </ol>
    </ComponentFrame>
  );
}

interface EditedPlan {
  readonly steps: readonly EditedStep[];
  readonly change: (change: StepChange) => void;
  /** The agent has changed the plan that the person began with. */
  readonly isBehind: boolean;
  /** Gives up the person's changes. */
  readonly reset: () => void;
  readonly markSent: () => void;
}

interface Edit {
  readonly base: readonly string[];
  readonly steps: readonly EditedStep[];
  /** The agent knows it: its next plan replaces it. */
  readonly isSent: boolean;
}

/** The agent's plan until a person changes it; changes that were not sent survive a reload. */
function useEditedPlan(planned: readonly string[], unsent: UnsentEntry): EditedPlan {
  const [edit, setEdit] = useState<Edit | undefined>(() => {
    const stored = planEditFrom(unsent.load());
    return stored && { base: stored.base, steps: editedSteps(stored.steps), isSent: false };
  });
  const isBehind = edit !== undefined && !isSamePlan(edit.base, planned);
  const shown = edit && !(isBehind && edit.isSent) ? edit : undefined;
  const steps = useMemo(() => shown?.steps ?? editedSteps(planned), [shown, planned]);
  return {
    steps,
    isBehind: isBehind && shown !== undefined,
    change: (one) => {
      const next = { base: shown?.base ?? planned, steps: changeSteps(steps, one), isSent: false };
      setEdit(next);
      unsent.save({ base: [...next.base], steps: next.steps.map(({ text }) => text) });
    },
    reset: () => {
      setEdit(undefined);
      unsent.save(undefined);
    },
    markSent: () => {
      if (edit) setEdit({ ...edit, isSent: true });
      unsent.save(undefined);
    },
  };
}

/** Moves the focus to the field of a step once the list shows it. */
function useStepFocus(list: { readonly current: HTMLElement | null }): (index: number) => void {
  const wanted = useRef<number>(undefined);
  useEffect(() => {
    if (wanted.current === undefined) return;
    list.current?.querySelectorAll("textarea")[wanted.current]?.focus();
    wanted.current = undefined;
  });
  return (index) => {
    wanted.current = index;
  };
}
