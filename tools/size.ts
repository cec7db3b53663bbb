import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build, transform, type Plugin } from "esbuild";
import { compile, compileModule } from "svelte/compiler";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");

/** A package for browsers, and how many bytes it may cost, minified and gzipped. */
export interface Budget {
  readonly name: string;
  /** For the package with all it needs. */
  readonly limit: number;
}

export const budgets: readonly Budget[] = [
  { name: "client", limit: 25_000 },
  { name: "client/emitter", limit: 2_000 },
  { name: "client/relay", limit: 5_000 },
  { name: "markdown", limit: 20_000 },
  { name: "react", limit: 52_000 },
  { name: "svelte", limit: 52_000 },
];

export interface Size {
  /** Its own code alone. */
  readonly own: number;
  /** With everything it needs, the client among it, but without the framework. */
  readonly whole: number;
  /** Packages of others that are in it. */
  readonly foreign: readonly string[];
}

/** Measures a package as an application would get it that uses all of it. */
export async function measure(name: string): Promise<Size> {
  const packages = name.startsWith("client/") || name === "markdown" ? [name] : [name, "client"];
  const [own, whole] = await Promise.all([
    bundle([name], ["@turnwire/*"]),
    bundle([...new Set(packages)], []),
  ]);
  return { own: own.bytes, whole: whole.bytes, foreign: whole.foreign };
}

async function bundle(names: readonly string[], external: readonly string[]) {
  const contents = names.map((name) => {
    const [folder, entry = "index"] = name.split("/");
    return `export * from "./packages/${folder}/src/${entry}.ts";`;
  });
  const { outputFiles, metafile } = await build({
    stdin: { contents: contents.join("\n"), resolveDir: root },
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    outdir: "out",
    format: "esm",
    platform: "browser",
    target: "es2023",
    conditions: ["@turnwire/source"],
    external: ["react", "react-dom", "react/*", "svelte", "svelte/*", ...external],
    plugins: [sveltePlugin],
    define: { "process.env.NODE_ENV": '"production"' },
  });
  const inputs = Object.values(metafile.outputs).flatMap((output) => Object.entries(output.inputs));
  const foreign = inputs
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .flatMap(([path]) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []);
  return {
    bytes: outputFiles.reduce((sum, { contents }) => sum + gzipSync(contents).length, 0),
    foreign: [...new Set(foreign)].toSorted(),
  };
}

const sveltePlugin: Plugin = {
  name: "svelte",
  setup(bundler) {
    bundler.onLoad({ filter: /\.svelte$/ }, async ({ path }) => {
      const { js } = compile(await readFile(path, "utf8"), { filename: path, dev: false });
      return { contents: js.code, loader: "js" };
    });
    bundler.onLoad({ filter: /\.svelte\.ts$/ }, async ({ path }) => {
      const { code } = await transform(await readFile(path, "utf8"), {
        loader: "ts",
        target: "esnext",
        tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
      });
      return {
        contents: compileModule(code, { filename: path, dev: false }).js.code,
        loader: "js",
      };
    });
  },
};
