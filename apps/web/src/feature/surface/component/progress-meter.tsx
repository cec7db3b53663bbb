import type { ComponentProps } from "@turnwire/react";
import { ComponentFrame } from "./component-frame.tsx";
import style from "./progress-meter.module.css";
import { numberFrom, objectFrom, optionalTextFrom } from "./property.ts";

export interface ProgressProps {
  readonly title: string | undefined;
  /** Missing if it is unknown how much is left. */
  readonly percent: number | undefined;
  readonly note: string | undefined;
}

export function progressPropsFrom(value: unknown): ProgressProps {
  const source = objectFrom(value);
  const percent = source["percent"] === undefined ? undefined : numberFrom(source, "percent");
  return {
    title: optionalTextFrom(source, "title"),
    percent: percent === undefined ? undefined : Math.min(100, Math.max(0, percent)),
    note: optionalTextFrom(source, "note"),
  };
}

/** The progress of something. */
export function ProgressMeter({ props: { title, percent, note } }: ComponentProps<ProgressProps>) {
  return (
    <ComponentFrame
      title={title}
      {...(percent !== undefined && { note: `${Math.round(percent)} %` })}
    >
      <progress
        className={style.meter}
        aria-label={title ?? "Progress"}
        max={100}
        {...(percent !== undefined && { value: percent })}
      />
      {note !== undefined && <p className="soft">{note}</p>}
    </ComponentFrame>
  );
}
