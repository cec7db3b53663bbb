import { build } from "esbuild";
import { describe, expect, test } from "vitest";

/** The source files that end up in a bundle of an application that imports these names. */
async function filesBundledFor(names: string): Promise<string[]> {
  const { metafile } = await build({
    stdin: {
      contents: `export { ${names} } from "@turnwire/protocol";`,
      resolveDir: import.meta.dirname,
    },
    bundle: true,
    write: false,
    metafile: true,
    format: "esm",
    platform: "browser",
    conditions: ["@turnwire/source"],
  });
  const [output] = Object.values(metafile.outputs);
  return Object.entries(output?.inputs ?? {}).flatMap(([path, { bytesInOutput }]) =>
    bytesInOutput > 0 ? [path] : [],
  );
}

describe("a browser bundle", () => {
  test.each([
    "initialState, fold, foldAll",
    "initialControl, foldControl, activityOf, openRequests",
    "createSseDecoder, encodeSseFrame",
    "textOf, toolSummary, applyJsonPatch, checkGrammar",
    "noCapabilities, PROTOCOL_VERSION",
  ])("of %s holds no zod", async (names) => {
    const files = await filesBundledFor(names);
    expect(files.length).toBeGreaterThan(0);
    expect(files.filter((file) => file.includes("node_modules"))).toEqual([]);
  });

  test("of a schema does hold zod, so that the check above can fail", async () => {
    const files = await filesBundledFor("Command");
    expect(files.some((file) => file.includes("node_modules/zod"))).toBe(true);
  });

  test("of everything needs nothing that only Node has", async () => {
    const files = await filesBundledFor("fold, Command, jsonSchemas, SessionEvent");
    expect(files.filter((file) => file.startsWith("node:"))).toEqual([]);
  });
});
