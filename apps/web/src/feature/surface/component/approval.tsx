import { isObject } from "@turnwire/base";
import type { JsonValue } from "@turnwire/protocol";
import type { ComponentProps } from "@turnwire/react";
import { Button } from "../../../element/button.tsx";
import { ComponentFrame } from "./component-frame.tsx";
import style from "./component-frame.module.css";
import { listFrom, objectFrom, optionalTextFrom, textFrom, textItem } from "./property.ts";

export interface ApprovalProps {
  readonly action: string;
  readonly details: string | undefined;
  /** The first one approves. */
  readonly options: readonly string[];
}

export function approvalPropsFrom(value: unknown): ApprovalProps {
  const source = objectFrom(value);
  const options = listFrom(source, "options", textItem);
  return {
    action: textFrom(source, "action"),
    details: optionalTextFrom(source, "details"),
    options: options.length > 0 ? options : ["approve", "reject"],
  };
}

/** Something that needs the approval of a person. */
export function Approval({ props, respond, progress, value }: ComponentProps<ApprovalProps>) {
  const { action, details, options } = props;
  const isResponding = progress?.status === "responding";
  return (
    <ComponentFrame
      title={action}
      {...(respond && {
        actions: options.map((choice, index) => (
          <Button
            key={index}
            look={index === 0 ? "strong" : "plain"}
            disabled={isResponding}
            onClick={() => respond({ approved: index === 0, choice })}
          >
            {capitalized(choice)}
          </Button>
        )),
      })}
    >
      {details !== undefined && <p className={style.details}>{details}</p>}
      {value !== undefined && <p className="faint">{`Answer: ${choiceOf(value)}`}</p>}
    </ComponentFrame>
  );
}

function capitalized(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}

function choiceOf(value: JsonValue): string {
  const choice = isObject(value) ? value["choice"] : value;
  return typeof choice === "string" ? choice : JSON.stringify(value);
}
