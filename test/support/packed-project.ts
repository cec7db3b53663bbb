import { execFile, spawn } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import {
  packPackages,
  publishedPackages,
  type PublishedPackage,
  root,
} from "../../tools/published-package.ts";

const run = promisify(execFile);

/** Packages that a page or a test of one's own needs besides ours, in the versions that we are tested with. */
const foreign = [
  "@sveltejs/vite-plugin-svelte",
  "@types/node",
  "@types/react",
  "@types/react-dom",
  "@vitejs/plugin-react",
  "happy-dom",
  "react",
  "react-dom",
  "svelte",
  "tsx",
  "vite",
  "vitest",
  "zod",
];
/** svelte-check cannot use TypeScript 7 yet. */
const foreignOfSvelte = ["svelte-check", "typescript"];

/** An empty project with all of our packages, installed from what npm would publish. */
export interface PackedProject {
  readonly directory: string;
  /** Without anything of the repository or the person who runs the tests. */
  readonly env: NodeJS.ProcessEnv;
  readonly packageNames: readonly string[];
  /** Runs a program that the project has installed; rejects with its output when it fails. */
  run(program: string, parameters: readonly string[], options?: RunOptions): Promise<string>;
  remove(): Promise<void>;
}

export interface RunOptions {
  readonly directory?: string;
  readonly env?: NodeJS.ProcessEnv;
}

export async function createPackedProject(): Promise<PackedProject> {
  const scratch = await mkdtemp(join(tmpdir(), "turnwire-packed-"));
  const directory = join(scratch, "project");
  const home = join(scratch, "home");
  await Promise.all([directory, home].map((path) => mkdir(path)));
  const tarballs = await packPackages(await builtPackages(scratch), scratch);
  const dependencies = {
    ...(await foreignVersions()),
    ...Object.fromEntries(tarballs.map(({ name, path }) => [name, `file:${path}`])),
  };
  const manifest = { name: "packed-project", private: true, type: "module", dependencies };
  await writeFile(join(directory, "package.json"), JSON.stringify(manifest));
  const install = ["install", "--prefer-offline", "--no-audit", "--no-fund"];
  await run("npm", install, { cwd: directory });
  const path = `${join(directory, "node_modules", ".bin")}:${process.env["PATH"] ?? ""}`;
  const env = { PATH: path, HOME: home };
  return {
    directory,
    env,
    packageNames: tarballs.map(({ name }) => name),
    run: async (program, parameters, options = {}) => {
      const { stdout } = await run(program, [...parameters], {
        cwd: join(directory, options.directory ?? "."),
        env: { ...env, ...options.env },
      }).catch((error: unknown) => {
        const output = error instanceof Error && "stdout" in error ? String(error.stdout) : "";
        throw new Error(`${program} failed: ${String(error)}\n${output}`, { cause: error });
      });
      return stdout;
    },
    remove: () => rm(scratch, { recursive: true, force: true }),
  };
}

/** Builds everything; the web app elsewhere, because other tests serve the one in the repository. */
async function builtPackages(scratch: string): Promise<PublishedPackage[]> {
  await run("npm", ["run", "--silent", "packages:compile"], { cwd: root });
  const web = join("apps", "web");
  const staged = join(scratch, "web");
  await run("npx", ["vite", "build", "--logLevel", "error", "--outDir", join(staged, "dist")], {
    cwd: join(root, web),
    env: { ...process.env, NODE_ENV: "production" },
  });
  for (const name of ["package.json", "README.md", "LICENSE"])
    await cp(join(root, web, name), join(staged, name));
  const packages = await publishedPackages();
  return packages.map((each) => (each.directory === web ? { ...each, directory: staged } : each));
}

async function foreignVersions(): Promise<Record<string, string>> {
  const lock: { packages: Record<string, { version: string } | undefined> } = JSON.parse(
    await readFile(join(root, "package-lock.json"), "utf8"),
  );
  const versionOf = (name: string, places: readonly string[]): [string, string] => {
    const found = places.map((place) => lock.packages[`${place}node_modules/${name}`]?.version);
    const version = found.find((each) => each !== undefined);
    if (version === undefined) throw new Error(`package-lock.json has no ${name}`);
    return [name, version];
  };
  return Object.fromEntries([
    ...foreign.map((name) => versionOf(name, ["", "packages/svelte/", "apps/web/"])),
    ...foreignOfSvelte.map((name) => versionOf(name, ["packages/svelte/", ""])),
  ]);
}

export interface RunningServer {
  readonly url: string;
  /** The link for the browser that it has printed. */
  readonly loginUrl: string;
  readonly token: string;
  /** Ends it as Ctrl-C does, and gives its exit code. */
  stop(): Promise<number | null>;
}

/** Starts a server with the given command, and waits for the addresses that it prints. */
export async function startPackedServer(
  project: PackedProject,
  [program, ...parameters]: readonly [string, ...string[]],
  env: NodeJS.ProcessEnv,
): Promise<RunningServer> {
  const child = spawn(program, parameters, {
    cwd: project.directory,
    env: { ...project.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let printed = "";
  child.stderr.on("data", (chunk: Buffer) => (printed += chunk.toString()));
  const exited = new Promise<number | null>((done, fail) => {
    child.once("error", fail);
    child.once("close", done);
  });
  const ready = new Promise<void>((done) => {
    createInterface({ input: child.stdout }).on("line", (line) => {
      printed += `${line}\n`;
      if (/^\s*Stop\b/.test(line)) done();
    });
  });
  const failed = exited.then((code) => {
    throw new Error(`${program} ended with ${code}:\n${printed}`);
  });
  await Promise.race([ready, failed]);
  failed.catch(() => undefined);
  const row = (name: string): string => new RegExp(`${name}\\s+(\\S+)`).exec(printed)?.[1] ?? "";
  return {
    url: row("Address"),
    loginUrl: row("Browser"),
    token: (await readFile(resolve(row("Token")), "utf8")).trim(),
    stop: () => {
      child.kill("SIGINT");
      return exited;
    },
  };
}
