import { defined } from "@turnwire/base";
import type { JsonObject, JsonValue } from "@turnwire/protocol";
import { type Format, indented } from "../terminal/format.ts";
import { safeLine, safeText } from "../terminal/safe-text.ts";
import { tableLines } from "../terminal/table.ts";
import { truncate, wrap } from "../terminal/wrap.ts";
import { textFromJson } from "./json-text.ts";

const MOST_LINES = 14;

/** A component as far as a terminal shows it. */
export interface ComponentFace {
  readonly name: string;
  readonly props: JsonObject;
  /** Where it stands, unless in the chat. */
  readonly surface?: string;
}

function isRowList(value: JsonValue | undefined): value is JsonValue[][] {
  return Array.isArray(value) && value.every((row) => Array.isArray(row));
}

function isTextList(value: JsonValue | undefined): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

function propLine(name: string, value: JsonValue, format: Format): string[] {
  const label = format.colors.dim(`${safeLine(name)}: `);
  const isPlain = typeof value === "string" && value.includes("\n");
  if (isPlain)
    return [
      label,
      ...safeText(value)
        .split("\n")
        .map((line) => `  ${line}`),
    ];
  const text = isTextList(value) ? value.join(", ") : textFromJson(value);
  return wrap(safeLine(text), format.width, { first: label, rest: "  " });
}

function body({ title: _title, columns, rows, ...props }: JsonObject, format: Format): string[] {
  const others = Object.entries(props).flatMap(([name, value]) => propLine(name, value, format));
  if (!isTextList(columns) || !isRowList(rows)) {
    const rest = defined({ columns, rows });
    return [
      ...others,
      ...Object.entries(rest).flatMap(([name, value]) => propLine(name, value, format)),
    ];
  }
  const table = {
    header: columns.map(safeLine),
    rows: rows.map((row) => row.map((cell) => safeLine(textFromJson(cell)))),
  };
  return [...tableLines(table, format), ...others];
}

/** A component as a small box: its name and title above, its props inside. */
export function componentLines({ name, props, surface }: ComponentFace, format: Format): string[] {
  const { dim, bold } = format.colors;
  const title = typeof props["title"] === "string" ? ` ${bold(safeLine(props["title"]))}` : "";
  const place = surface === undefined ? "" : dim(` in the ${surface}`);
  const lines = body(props, indented(format, 2));
  const shown = lines.slice(0, MOST_LINES);
  return [
    `${dim("╭─")} ${safeLine(name)}${title}${place}`,
    ...shown.map((line) => `${dim("│")} ${line}`),
    ...(lines.length > shown.length ? [`${dim("│")} …`] : []),
    dim("╰─"),
  ];
}

/** A component on one line, for places that are short of room. */
export function componentSummary({ name, props, surface }: ComponentFace, format: Format): string {
  const { title, ...others } = props;
  const words = [
    typeof title === "string" ? title : "",
    ...Object.values(others).map(textFromJson),
  ];
  const text = safeLine(`${name} ${words.filter(Boolean).join(" · ")}`);
  const place = surface === undefined ? "" : ` (${surface})`;
  return format.colors.dim(`▤ ${truncate(text, format.width - place.length - 2)}${place}`);
}
