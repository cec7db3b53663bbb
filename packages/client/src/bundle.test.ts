import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { describe, expect, test } from "vitest";

/** The bundle of an application that imports the client: everything in one file, made for a browser. */
async function bundle(): Promise<{ bytes: Uint8Array; inputs: string[] }> {
  const { outputFiles, metafile } = await build({
    entryPoints: [fileURLToPath(new URL("index.ts", import.meta.url))],
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    format: "esm",
    platform: "browser",
    target: "es2023",
    conditions: ["@turnwire/source"],
  });
  const [output] = Object.values(metafile.outputs);
  const [file] = outputFiles;
  if (!output || !file) throw new Error("esbuild gave no file");
  const inputs = Object.entries(output.inputs).flatMap(([path, { bytesInOutput }]) =>
    bytesInOutput > 0 ? [path] : [],
  );
  return { bytes: file.contents, inputs };
}

describe("the client in a browser's bundle", () => {
  test("stays under 25 kB, minified and gzipped, with the fold", async () => {
    const { bytes, inputs } = await bundle();
    expect(inputs.some((path) => path.endsWith("protocol/src/fold/fold.ts"))).toBe(true);
    expect(gzipSync(bytes).length).toBeLessThan(25_000);
  });

  test("has nothing of what only bindings to frameworks and front ends of relays need", async () => {
    const { inputs } = await bundle();
    expect(inputs.filter((path) => /7-binding|relay/.test(path))).toEqual([]);
  });

  test("has nothing but our own code: no zod, no dependency, nothing of Node", async () => {
    const { inputs } = await bundle();
    const foreign = inputs.filter((path) => !/packages\/(client|protocol|base)\/src\//.test(path));
    expect(foreign).toEqual([]);
  });
});
