import { detach } from "@turnwire/base";
import type { JsonObject } from "@turnwire/protocol";
import type { ComponentProps } from "@turnwire/react";
import { useId, useMemo, useState } from "react";
import { Button } from "../../../element/button.tsx";
import { showError, showToast } from "../../../element/toast.ts";
import { ComponentFrame } from "./component-frame.tsx";
import {
  entryFrom,
  fieldsWithEntry,
  formFieldsFrom,
  valuesFrom,
  type FormField,
} from "./form-schema.ts";
import style from "./form.module.css";
import { objectFrom, optionalTextFrom } from "./property.ts";

export interface FormProps {
  readonly title: string | undefined;
  readonly description: string | undefined;
  readonly fields: readonly FormField[];
  readonly submitLabel: string;
}

export function formPropsFrom(value: unknown): FormProps {
  const source = objectFrom(value);
  return {
    title: optionalTextFrom(source, "title"),
    description: optionalTextFrom(source, "description"),
    fields: formFieldsFrom(source["schema"]),
    submitLabel: optionalTextFrom(source, "submit_label") ?? "Send",
  };
}

/** Asks for values by a JSON Schema; they answer the interrupt, or go to the agent as a `submit`. */
export function Form(component: ComponentProps<FormProps>) {
  const { props, respond, callback, progress, unsent } = component;
  const isEnded = progress?.outcome !== undefined;
  // Only where a form begins: what is typed stays in its fields.
  const [entry] = useState(unsent.load);
  const fields = useMemo(() => fieldsWithEntry(props.fields, entry), [props.fields, entry]);
  const send = async (values: JsonObject): Promise<void> => {
    await callback("submit", values);
    unsent.save(undefined);
    showToast("Sent to the agent");
  };
  const submit = (data: FormData): void => {
    const values = valuesFrom(props.fields, data);
    if (!respond) {
      detach(send(values), showError);
      return;
    }
    unsent.save(undefined);
    respond(values);
  };
  return (
    <form
      onInput={(event) => unsent.save(entryFrom(props.fields, new FormData(event.currentTarget)))}
      onSubmit={(event) => {
        event.preventDefault();
        submit(new FormData(event.currentTarget));
      }}
    >
      <ComponentFrame
        title={props.title}
        {...(!isEnded && {
          actions: (
            <Button type="submit" look="strong" disabled={progress?.status === "responding"}>
              {props.submitLabel}
            </Button>
          ),
        })}
      >
        {props.description !== undefined && (
          <p className={style.description}>{props.description}</p>
        )}
        <fieldset className="stack gap-3" disabled={isEnded}>
          {fields.map((field) => (
            <Field key={field.name} field={field} />
          ))}
        </fieldset>
      </ComponentFrame>
    </form>
  );
}

function Field({ field }: { readonly field: FormField }) {
  const id = useId();
  const { label, description, kind, isRequired } = field;
  return (
    <div className={kind === "boolean" ? style.line : "stack gap-1"}>
      <label htmlFor={id} className={kind === "boolean" ? undefined : "medium"}>
        {label}
        {isRequired && <span className={style.required}> (required)</span>}
      </label>
      <Control id={id} field={field} />
      {description !== undefined && (
        <p id={`${id}-description`} className={style.description}>
          {description}
        </p>
      )}
    </div>
  );
}

function Control({ id, field }: { readonly id: string; readonly field: FormField }) {
  const { name, kind, options, isRequired, value } = field;
  const shared = {
    id,
    name,
    required: isRequired && kind !== "boolean",
    ...(field.description !== undefined && { "aria-describedby": `${id}-description` }),
  };
  const look = `input ${style.input}`;
  const text = value === undefined ? "" : String(value);
  switch (kind) {
    case "boolean":
      return <input {...shared} type="checkbox" defaultChecked={value === true} />;
    case "choice":
      return (
        <select {...shared} className={look} defaultValue={value === undefined ? options[0] : text}>
          {options.map((option, index) => (
            <option key={index}>{option}</option>
          ))}
        </select>
      );
    case "multiline":
      return <textarea {...shared} className={look} rows={3} defaultValue={text} />;
    case "number":
      return <input {...shared} className={look} type="number" step="any" defaultValue={text} />;
    case "text":
      return <input {...shared} className={look} type="text" defaultValue={text} />;
  }
}
