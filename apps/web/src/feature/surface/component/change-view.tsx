import type { ComponentProps } from "@turnwire/react";
import { useMemo } from "react";
import { diffFilesFrom } from "../../block/diff-file.ts";
import { DiffView } from "../../block/diff-view.tsx";
import { ComponentFrame } from "./component-frame.tsx";
import { objectFrom, optionalTextFrom, textFrom } from "./property.ts";

export interface ChangeProps {
  readonly title: string | undefined;
  readonly unified: string;
}

export function changePropsFrom(value: unknown): ChangeProps {
  const source = objectFrom(value);
  return { title: optionalTextFrom(source, "title"), unified: textFrom(source, "unified") };
}

/** A diff that an agent shows, read like those in the conversation. */
export function ChangeView({ props, component_id }: ComponentProps<ChangeProps>) {
  const files = useMemo(() => diffFilesFrom(props.unified), [props.unified]);
  return (
    <ComponentFrame title={props.title}>
      {files ? <DiffView id={component_id} files={files} /> : <pre>{props.unified}</pre>}
    </ComponentFrame>
  );
}
