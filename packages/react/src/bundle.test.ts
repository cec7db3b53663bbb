import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { describe, expect, test } from "vitest";
import * as react from "./index.ts";

/** Markdown is taken apart from the rest and has its own budget. */
const bindings = Object.keys(react).filter((name) => !name.startsWith("Markdown"));

/** The part of the client that only bindings use: it counts as theirs. */
const clientBinding = fileURLToPath(
  new URL("../../client/src/7-binding/index.ts", import.meta.url),
);

/** The code that an application loads in addition to React and the client. */
async function bundle(): Promise<{ bytes: Uint8Array; inputs: string[] }> {
  const { outputFiles, metafile } = await build({
    stdin: {
      contents: `export { ${bindings.join(", ")} } from "./index.ts";`,
      resolveDir: fileURLToPath(new URL(".", import.meta.url)),
      loader: "ts",
    },
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    format: "esm",
    platform: "browser",
    target: "es2023",
    jsx: "automatic",
    conditions: ["@turnwire/source"],
    alias: { "@turnwire/client/binding": clientBinding },
    external: ["react", "react/jsx-runtime", "@turnwire/client"],
  });
  const [output] = Object.values(metafile.outputs);
  const [file] = outputFiles;
  if (!output || !file) throw new Error("esbuild gave no file");
  const inputs = Object.entries(output.inputs).flatMap(([path, { bytesInOutput }]) =>
    bytesInOutput > 0 ? [path] : [],
  );
  return { bytes: file.contents, inputs };
}

describe("the bindings in a browser's bundle", () => {
  test("stay under 14 kB, minified and gzipped, beside React and the client", async () => {
    const { bytes } = await bundle();
    expect(gzipSync(bytes).length).toBeLessThan(14_000);
  });

  test("bring nothing but our own code: no zod, no dependency", async () => {
    const { inputs } = await bundle();
    const foreign = inputs.filter(
      (path) => !/packages\/(react|client|protocol|base)\/src\//.test(path),
    );
    expect(foreign).toEqual([]);
  });
});
