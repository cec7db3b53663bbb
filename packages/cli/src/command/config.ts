import { isObject } from "@turnwire/base";
import { defineCommand } from "../program/command.ts";
import { exitCode } from "../error/cli-error.ts";
import { sessionDefaultsFrom } from "../configuration/session-defaults.ts";
import { shownStore } from "../configuration/store-choice.ts";
import { formatFor } from "../terminal/format.ts";

const mask = "•••";
const secretKeys = new Set(["env", "headers"]);

/** The same with every secret in it hidden: of MCP servers, only the names of variables and headers stay. */
export function masked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(masked);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, maskedMember(key, inner)]),
  );
}

function maskedMember(key: string, value: unknown): unknown {
  if (key === "token") return mask;
  return secretKeys.has(key) && isObject(value) ? hidden(value) : masked(value);
}

function hidden(secrets: object): Record<string, string> {
  return Object.fromEntries(Object.keys(secrets).map((name) => [name, mask]));
}

export const config = defineCommand({
  name: "config",
  summary: "Show the configuration in force, and where each value comes from",
  usage: ["config [--json] [options of turnwire serve]"],
  details:
    "A flag goes before its environment variable, a variable before the file, the file before the default. The file is the one that --config or TURNWIRE_CONFIG names, else turnwire.config.json or turnwire.config.ts in the data directory; the current directory is never looked at. Secrets of MCP servers and the password of a Postgres store are hidden.",
  maxPositionals: 0,
  examples: [
    { command: "turnwire config", meaning: "What turnwire serve would run with" },
    {
      command: "turnwire config --config team.json --json",
      meaning: "The same of a file, for programs",
    },
  ],
  async run({ values, origins, configFile, stdout, env }) {
    const { json, ...rest } = values;
    const settings = Object.entries(rest).map(([name, value]) => ({
      name,
      value: name === "store" ? shownStore(values.store) : (value ?? null),
      origin: origins?.get(name) ?? "default",
    }));
    const defaults = masked(sessionDefaultsFrom(configFile));
    const file = configFile?.path ?? null;
    if (json) {
      stdout.write(`${JSON.stringify({ file, settings, defaults })}\n`);
      return exitCode.ok;
    }
    const { colors } = formatFor(stdout, env);
    const lines = settings.map(({ name, value, origin }) => {
      const text = value === null ? "not set" : JSON.stringify(value);
      return `${name.padEnd(18)}${text}  ${colors.dim(origin)}`;
    });
    const head = `Configuration file: ${file ?? "none"}`;
    const tail =
      file === null ? [] : ["", `Defaults of sessions: ${JSON.stringify(defaults, null, 2)}`];
    stdout.write(`${[head, "", ...lines, ...tail].join("\n")}\n`);
    return exitCode.ok;
  },
});
