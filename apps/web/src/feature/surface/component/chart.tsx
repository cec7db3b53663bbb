import type { ComponentProps } from "@turnwire/react";
import { barsFrom, lineFrom, plot } from "./chart-shape.ts";
import style from "./chart.module.css";
import { ComponentFrame } from "./component-frame.tsx";
import { listFrom, objectFrom, optionalTextFrom, textItem } from "./property.ts";

export interface ChartProps {
  readonly title: string | undefined;
  readonly kind: "bar" | "line";
  readonly data: readonly number[];
  /** One per value. */
  readonly labels: readonly string[];
}

export function chartPropsFrom(value: unknown): ChartProps {
  const source = objectFrom(value);
  const kind = optionalTextFrom(source, "kind") ?? "bar";
  if (kind !== "bar" && kind !== "line") throw new Error("kind must be bar or line");
  return {
    title: optionalTextFrom(source, "title"),
    kind,
    data: listFrom(source, "data", (item) => {
      if (typeof item === "number" && Number.isFinite(item)) return item;
      throw new Error("data must be a list of numbers");
    }),
    labels: listFrom(source, "labels", textItem),
  };
}

/** Values as bars or as a line; its label lists all of them. */
export function Chart({ props: { title, kind, data, labels } }: ComponentProps<ChartProps>) {
  const words = data.map((value, index) => [labels[index], value].filter(isGiven).join(": "));
  const bars = barsFrom(data);
  return (
    <ComponentFrame title={title}>
      <svg
        className={style.chart}
        viewBox={`0 0 ${plot.width} ${plot.height}`}
        role="img"
        aria-label={`${kind === "bar" ? "Bars" : "Line"}: ${words.join(", ")}`}
      >
        <line className={style.axis} x1="0" x2={plot.width} y1={plot.floor} y2={plot.floor} />
        {kind === "line" && <polyline className={style.line} points={lineFrom(bars)} />}
        {bars.map((bar, index) => (
          <g key={index}>
            {kind === "bar" ? (
              <rect
                className={style.bar}
                x={bar.left}
                y={bar.top}
                width={bar.width}
                height={bar.height}
                rx="3"
              />
            ) : (
              <circle className={style.point} cx={bar.middle} cy={bar.tip} r="3.5" />
            )}
            <text className={style.value} x={bar.middle} y={bar.tip - 8}>
              {data[index]}
            </text>
            <text className={style.label} x={bar.middle} y={plot.height - 6}>
              {labels[index]}
            </text>
          </g>
        ))}
      </svg>
    </ComponentFrame>
  );
}

function isGiven(value: string | number | undefined): boolean {
  return value !== undefined;
}
