import { CliError } from "./cli-error.ts";

interface OptionText {
  readonly description: string;
  /** The environment variable that says the same. */
  readonly variable?: string;
  readonly short?: string;
}

interface ValueText extends OptionText {
  /** What stands for the value in help texts. */
  readonly argument: string;
}

/** One option of a command: how it is written and what its texts mean. */
export interface Option<Value> extends OptionText {
  readonly argument?: string;
  /** Splits a variable into the texts it stands for; lists need it. */
  readonly separator?: string;
  /** Shown in help. */
  readonly fallback?: string;
  /** Turns what was written into a value; `origin` names the flag or variable for messages. */
  read(texts: readonly string[], origin: string): Value;
}

export type OptionTable = Readonly<Record<string, Option<unknown>>>;

export type OptionValues<Table extends OptionTable> = {
  readonly [Name in keyof Table]: Table[Name] extends Option<infer Value> ? Value : never;
};

export function invalidValue(origin: string, given: string, expected: string): CliError {
  return new CliError("usage", `${origin} must be ${expected}, not "${given}".`);
}

/** A text; the last one written wins. */
export function textOption(option: ValueText): Option<string | undefined>;
export function textOption(option: ValueText & { fallback: string }): Option<string>;
export function textOption(option: ValueText & { fallback?: string }): Option<string | undefined> {
  return {
    ...option,
    read(texts, origin) {
      const text = texts.at(-1);
      if (text === "") throw invalidValue(origin, text, option.argument);
      return text ?? option.fallback;
    },
  };
}

interface IntegerText extends ValueText {
  readonly least: number;
  readonly most?: number;
}

/** A whole number within bounds. */
export function integerOption(option: IntegerText): Option<number | undefined>;
export function integerOption(option: IntegerText & { preset: number }): Option<number>;
export function integerOption({
  least,
  most = Number.MAX_SAFE_INTEGER,
  preset,
  ...option
}: IntegerText & { preset?: number }): Option<number | undefined> {
  return {
    ...option,
    ...(preset !== undefined && { fallback: String(preset) }),
    read(texts, origin) {
      const text = texts.at(-1);
      if (text === undefined) return preset;
      const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
      if (value >= least && value <= most) return value;
      const range =
        most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`;
      throw invalidValue(origin, text, `a whole number ${range}`);
    },
  };
}

/** A number of more than 0, such as 0.5. */
export function amountOption(option: ValueText): Option<number | undefined> {
  return {
    ...option,
    read(texts, origin) {
      const text = texts.at(-1);
      if (text === undefined) return undefined;
      const value = /^\d{1,9}(?:\.\d{1,9})?$/.test(text) ? Number(text) : 0;
      if (value > 0) return value;
      throw invalidValue(origin, text, "a number of more than 0");
    },
  };
}

/** One of a few words. */
export function choiceOption<Choice extends string>(
  option: ValueText & { choices: readonly Choice[]; preset: Choice },
): Option<Choice> {
  const { choices, preset, ...rest } = option;
  return {
    ...rest,
    fallback: preset,
    read(texts, origin) {
      const text = texts.at(-1);
      const choice = choices.find((candidate) => candidate === text);
      if (text !== undefined && choice === undefined) {
        throw invalidValue(origin, text, choices.join(" or "));
      }
      return choice ?? preset;
    },
  };
}

/** May be given several times; a variable lists its values with a separator. */
export function listOption(option: ValueText & { separator: string }): Option<readonly string[]> {
  return { ...option, read: (texts) => texts.filter((text) => text !== "") };
}

const yes = new Set(["1", "true", "yes", "on"]);
const no = new Set(["", "0", "false", "no", "off"]);

/** On when written; a variable may say 1 or 0, yes or no. */
export function flagOption(option: OptionText): Option<boolean> {
  return {
    ...option,
    read(texts, origin) {
      const text = texts.at(-1)?.toLowerCase();
      if (text === undefined || no.has(text)) return false;
      if (yes.has(text)) return true;
      throw invalidValue(origin, text, "1 or 0");
    },
  };
}
