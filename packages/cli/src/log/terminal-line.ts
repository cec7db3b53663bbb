import { isObject } from "@turnwire/base";
import type { Format } from "../terminal/format.ts";
import { safeLine } from "../terminal/safe-text.ts";

type Colors = Format["colors"];

const levels: Readonly<Record<string, (colors: Colors) => string>> = {
  "20": ({ dim }) => dim("debug"),
  "30": ({ cyan }) => cyan("info "),
  "40": ({ yellow }) => yellow("warn "),
  "50": ({ red }) => red("error"),
};

/** A line of the log as a person reads it: time, level, what happened, facts; an error's stack below. */
export function terminalLine(json: string, colors: Colors): string {
  const entry: unknown = JSON.parse(json);
  if (!isObject(entry)) return json;
  const { level, time, msg, error, ...facts } = entry;
  const clock = new Date(Number(time)).toTimeString().slice(0, 8);
  const label = levels[String(level)]?.(colors) ?? String(level);
  const shown = Object.entries(facts)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`);
  const head = [
    colors.dim(clock),
    label,
    safeLine(String(msg)),
    colors.dim(safeLine(shown.join(" "))),
  ];
  return [head.join(" ").trimEnd(), ...errorLines(error)].join("\n");
}

function errorLines(error: unknown): string[] {
  if (!isObject(error)) return error === undefined ? [] : [`  ${safeLine(JSON.stringify(error))}`];
  const { stack, message, cause } = error;
  const text = typeof stack === "string" ? stack : String(message);
  const lines = text.split("\n").map((line) => `  ${safeLine(line)}`);
  return cause === undefined ? lines : [...lines, "  caused by", ...errorLines(cause)];
}
