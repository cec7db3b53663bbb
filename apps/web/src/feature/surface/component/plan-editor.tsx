import { detach } from "@turnwire/base";
import type { ComponentProps } from "@turnwire/react";
import { useEffect, useReducer, useRef } from "react";
import { Button } from "../../../element/button.tsx";
import { IconButton } from "../../../element/icon-button.tsx";
import { showError, showToast } from "../../../element/toast.ts";
import { ComponentFrame } from "./component-frame.tsx";
import style from "./plan-editor.module.css";
import { changeSteps, editedSteps } from "./plan-steps.ts";
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
export function PlanEditor({
  props,
  respond,
  callback,
  progress,
}: ComponentProps<PlanEditorProps>) {
  const [steps, change] = useReducer(changeSteps, props.steps, editedSteps);
  const list = useRef<HTMLOListElement>(null);
  const focusAfter = useStepFocus(list);
  const isResponding = progress?.status === "responding";
  const written = steps
    .map(({ text }) => ({ text: text.trim() }))
    .filter(({ text }) => text !== "");
  const save = async (): Promise<void> => {
    await callback("save", { steps: written });
    showToast("Sent to the agent");
  };
  const actions = respond ? (
    <>
      <Button
        look="strong"
        disabled={isResponding || written.length === 0}
        onClick={() => respond({ approved: true, steps: written })}
      >
        Run plan
      </Button>
      <Button disabled={isResponding} onClick={() => respond({ approved: false })}>
        Reject
      </Button>
    </>
  ) : (
    <Button look="strong" onClick={() => detach(save(), showError)}>
      Save
    </Button>
  );
  return (
    <ComponentFrame title={props.title ?? "Plan"} note={`${steps.length} steps`} actions={actions}>
      <ol ref={list} className={style.steps}>
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
        className={style.add}
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
