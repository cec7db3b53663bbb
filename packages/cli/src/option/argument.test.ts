import { describe, expect, test } from "vitest";
import { parseArguments } from "./argument.ts";
import { CliError } from "../error/cli-error.ts";
import { choice, flag, integer, list, text } from "./option.ts";

const table = {
  host: { ...text("HOST", "", { preset: "here" }), variable: "T_HOST", key: "host" },
  name: text("NAME", ""),
  port: {
    ...integer("N", "", { least: 0, most: 99, preset: 7 }),
    variable: "T_PORT",
    key: "own_port",
  },
  level: {
    ...choice("L", "", { choices: ["low", "high"], preset: "low" }),
    variable: "T_LEVEL",
    key: "level",
  },
  root: { ...list("DIR", "", { separator: ":" }), variable: "T_ROOT", key: "root" },
  quiet: { ...flag("", { short: "q" }), variable: "T_QUIET", key: "quiet" },
};

const parse = (args: readonly string[], env = {}) => parseArguments(table, args, { env });

function refusal(args: readonly string[], env = {}): string {
  try {
    parse(args, env);
  } catch (error) {
    if (error instanceof CliError && error.code === "usage") return error.message;
    throw error;
  }
  throw new Error("nothing was refused");
}

describe("arguments", () => {
  test("have their defaults where nothing is said", () => {
    const { values, positionals, origins } = parse([]);
    expect(values).toEqual({
      host: "here",
      name: undefined,
      port: 7,
      level: "low",
      root: [],
      quiet: false,
    });
    expect(positionals).toEqual([]);
    expect(new Set(origins.values())).toEqual(new Set(["default"]));
  });

  test("take a variable before the default, and a flag before the variable", () => {
    const env = { T_HOST: "env", T_PORT: "1", T_LEVEL: "high", T_ROOT: "/a:/b", T_QUIET: "yes" };
    expect(parse([], env).values).toEqual({
      host: "env",
      name: undefined,
      port: 1,
      level: "high",
      root: ["/a", "/b"],
      quiet: true,
    });
    const args = ["--host=flag", "--port", "2", "--level", "low", "--root", "/c", "--root", "/d"];
    expect(parse(args, env).values).toMatchObject({
      host: "flag",
      port: 2,
      level: "low",
      root: ["/c", "/d"],
    });
  });

  test("take a file before the default, and a variable or a flag before the file", () => {
    const config = { host: "file", own_port: 5, root: ["/f"], quiet: true, name: "no key" };
    const file = { path: "/c.json", config };
    const { values, origins } = parseArguments(table, ["--host", "flag"], {
      env: { T_PORT: "1" },
      file,
    });
    expect(values).toMatchObject({
      host: "flag",
      name: undefined,
      port: 1,
      root: ["/f"],
      quiet: true,
      level: "low",
    });
    expect(Object.fromEntries(origins)).toMatchObject({
      host: "--host",
      port: "T_PORT",
      root: "root in /c.json",
      level: "default",
    });
    const wrong = { path: "/c.json", config: { own_port: "many" } };
    expect(() => parseArguments(table, [], { env: {}, file: wrong })).toThrow(
      "own_port in /c.json",
    );
  });

  test("treat an empty variable like none", () => {
    const env = { T_HOST: "", T_PORT: "", T_ROOT: "", T_QUIET: "" };
    expect(parse([], env).values).toEqual(parse([]).values);
  });

  test("keep what stands alone, a single dash, and everything after two dashes", () => {
    expect(parse(["a", "-", "-q", "--", "--host"]).positionals).toEqual(["a", "-", "--host"]);
    expect(parse(["-q"]).values.quiet).toBe(true);
  });

  test.each([
    [["--hots", "x"], {}, "Unknown option --hots. Did you mean --host?"],
    [["--zebra"], {}, "Unknown option --zebra."],
    [["--constructor"], {}, "Unknown option --constructor."],
    [["--port"], {}, "--port needs a value: --port N."],
    [["--port", "--quiet"], {}, "--port needs a value: --port N."],
    [["--port", "100"], {}, '--port must be a whole number from 0 to 99, not "100".'],
    [["--port", "-1"], {}, '--port must be a whole number from 0 to 99, not "-1".'],
    [["--port", "1e1"], {}, '--port must be a whole number from 0 to 99, not "1e1".'],
    [[], { T_PORT: "x" }, 'T_PORT must be a whole number from 0 to 99, not "x".'],
    [["--level", "mid"], {}, '--level must be low or high, not "mid".'],
    [["--host", ""], {}, '--host must be HOST, not "".'],
    [["--quiet=1"], {}, "--quiet takes no value."],
    [[], { T_QUIET: "maybe" }, 'T_QUIET must be 1 or 0, not "maybe".'],
  ])("refuse %j %j in words that name the fault", (args, env, message) => {
    expect(refusal(args, env)).toBe(message);
  });
});
