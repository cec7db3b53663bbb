import * as z from "zod";
import { CliError } from "../error/cli-error.ts";

interface OptionText {
  readonly short?: string;
  /** What applies where the option is not given, in words, unless it has a preset. */
  readonly fallback?: string;
}

/** One option of a command. Its name is its key in the table. */
export interface Option<Value = unknown, Schema extends z.ZodType = z.ZodType> extends OptionText {
  readonly description: string;
  /** Represents the value in help texts; a flag has none. */
  readonly argument?: string;
  /** What separates several values in a variable; an option that has one may be repeated. */
  readonly separator?: string;
  /** The environment variable with the same meaning. */
  readonly variable?: string;
  /** Its key in the configuration file. */
  readonly key?: string;
  /** What the configuration file may have there. */
  readonly schema: Schema;
  /** Turns what was written into a value; `origin` names the flag, variable or key for messages. */
  read(texts: readonly string[], origin: string): Value;
}

export type OptionTable = Readonly<Record<string, Option>>;

export type OptionValues<Table extends OptionTable> = {
  readonly [Name in keyof Table]: Table[Name] extends Option<infer Value> ? Value : never;
};

export function invalidValue(origin: string, given: string, expected: string): CliError {
  return new CliError("usage", `${origin} must be ${expected}, not "${given}".`);
}

const word = z.string().min(1);
const words = z.array(word);
const truth = z.boolean();

interface Preset<Value> extends OptionText {
  readonly preset?: Value;
}

/** A text; the last one written wins. */
export function text<Default extends string | undefined = undefined>(
  argument: string,
  description: string,
  { preset, ...rest }: Preset<Default> = {},
): Option<string | Default, z.ZodString> {
  return {
    argument,
    description,
    ...(preset !== undefined && { fallback: preset }),
    ...rest,
    schema: word,
    read(texts, origin) {
      const given = texts.at(-1);
      if (given === "") throw invalidValue(origin, given, argument);
      // Without a preset the type of a default is undefined.
      return given ?? (preset as Default);
    },
  };
}

interface Bounds<Value> extends Preset<Value> {
  readonly least?: number;
  readonly most?: number;
}

/** A whole number within bounds, by default of at least 1. */
export function integer<Default extends number | undefined = undefined>(
  argument: string,
  description: string,
  { preset, least = 1, most = Number.MAX_SAFE_INTEGER, ...rest }: Bounds<Default> = {},
): Option<number | Default, z.ZodInt> {
  return {
    argument,
    description,
    ...(preset !== undefined && { fallback: String(preset) }),
    ...rest,
    schema: z.int().min(least).max(most),
    read(texts, origin) {
      const given = texts.at(-1);
      // Without a preset the type of a default is undefined.
      if (given === undefined) return preset as Default;
      const value = /^\d{1,16}$/.test(given) ? Number(given) : Number.NaN;
      if (value >= least && value <= most) return value;
      const range =
        most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`;
      throw invalidValue(origin, given, `a whole number ${range}`);
    },
  };
}

/** A number of more than 0, such as 0.5. */
export function amount(argument: string, description: string): Option<number | undefined> {
  return {
    argument,
    description,
    schema: z.number().positive(),
    read(texts, origin) {
      const given = texts.at(-1);
      if (given === undefined) return undefined;
      const value = /^\d{1,9}(?:\.\d{1,9})?$/.test(given) ? Number(given) : 0;
      if (value > 0) return value;
      throw invalidValue(origin, given, "a number of more than 0");
    },
  };
}

/** One of a few words. */
export function choice<const Words extends readonly [string, ...string[]]>(
  argument: string,
  description: string,
  { choices, preset }: { readonly choices: Words; readonly preset: Words[number] },
): Option<Words[number], z.ZodEnum<z.core.util.ToEnum<Words[number]>>> {
  return {
    argument,
    description,
    fallback: preset,
    schema: z.enum(choices),
    read(texts, origin) {
      const given = texts.at(-1);
      const chosen = choices.find((candidate) => candidate === given);
      if (given === undefined || chosen !== undefined) return chosen ?? preset;
      throw invalidValue(origin, given, choices.join(" or "));
    },
  };
}

interface ListText extends OptionText {
  readonly separator?: string;
}

/** May be given several times. */
export function list(
  argument: string,
  description: string,
  { separator = ",", ...rest }: ListText = {},
): Option<readonly string[], z.ZodArray<z.ZodString>> {
  return {
    argument,
    description,
    separator,
    ...rest,
    schema: words,
    read: (texts) => texts.filter((given) => given !== ""),
  };
}

const yes = new Set(["1", "true", "yes", "on"]);
const no = new Set(["", "0", "false", "no", "off"]);

/** On when written; a variable may have 1 or 0, yes or no. */
export function flag(
  description: string,
  rest: Pick<OptionText, "short"> = {},
): Option<boolean, z.ZodBoolean> {
  return {
    description,
    ...rest,
    schema: truth,
    read(texts, origin) {
      const given = texts.at(-1)?.toLowerCase();
      if (given === undefined || no.has(given)) return false;
      if (yes.has(given)) return true;
      throw invalidValue(origin, given, "1 or 0");
    },
  };
}
