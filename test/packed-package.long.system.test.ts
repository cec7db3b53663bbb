import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { createClient } from "@turnwire/client";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { WebSocket } from "ws";
import { root } from "../tools/published-package.ts";
import { readImage } from "./support/container-image.ts";
import {
  createPackedProject,
  type PackedProject,
  type RunningServer,
  startPackedServer,
} from "./support/packed-project.ts";

let project: PackedProject;
let server: RunningServer;

/** Builds, installs and checks whole projects: minutes on a machine that does other things too. */
const timeout = 600_000;

beforeAll(async () => {
  project = await createPackedProject();
  server = await serve({ TURNWIRE_DATA: join(project.directory, "data") });
}, timeout);

afterAll(async () => {
  await server?.stop();
  await project?.remove();
});

function serve(env: NodeJS.ProcessEnv): Promise<RunningServer> {
  return startPackedServer(project, ["turnwire", "serve"], { TURNWIRE_PORT: "0", ...env });
}

/** How the programs of the project find the server. */
function connection(): NodeJS.ProcessEnv {
  return { TURNWIRE_URL: server.url, TURNWIRE_TOKEN: server.token };
}

async function copyExample(name: string, ...parts: readonly string[]): Promise<void> {
  for (const part of parts) {
    await cp(join(root, "examples", name, part), join(project.directory, name, part), {
      recursive: true,
    });
  }
}

/** The page as a project of its own would build it: from `dist` of our packages, with Vite's defaults. */
async function buildPage(name: string, plugin: string, options: string): Promise<string> {
  await copyExample(name, "src", "index.html");
  const config = `import ${plugin};\nexport default { plugins: [${options}] };\n`;
  await writeFile(join(project.directory, name, "vite.config.js"), config);
  await project.run("vite", ["build", "--logLevel", "warn"], { directory: name });
  const assets = join(project.directory, name, "dist", "assets");
  const script = (await readdir(assets)).find((file) => /^index-.*\.js$/.test(file));
  return join(assets, script ?? "no script");
}

async function writeTsconfig(name: string, options: object): Promise<void> {
  const compilerOptions = {
    strict: true,
    noEmit: true,
    target: "ES2023",
    lib: ["ES2023", "DOM", "DOM.Iterable"],
    module: "ESNext",
    moduleResolution: "Bundler",
    allowImportingTsExtensions: true,
    verbatimModuleSyntax: true,
    ...options,
  };
  const config = { compilerOptions, include: ["src"] };
  await writeFile(join(project.directory, name, "tsconfig.json"), JSON.stringify(config));
}

async function talkInPage(script: string): Promise<string> {
  const program = join(project.directory, "talk-in-page.js");
  await cp(join(root, "test", "packed", "talk-in-page.js"), program);
  return project.run(process.execPath, [program, script], { env: connection() });
}

describe("what npm would publish, installed into an empty project", { timeout }, () => {
  test("is the version of the repository, under the name that `npx turnwire` asks for", async () => {
    const { version } = JSON.parse(await readFile(join(root, "packages/cli/package.json"), "utf8"));
    const printed = await project.run("npx", ["--offline", "turnwire", "--version"]);
    expect(printed.trim()).toBe(version);
  });

  test("serves the web app and its assets, and prints a link that logs a browser in", async () => {
    const health = await fetch(`${server.url}/health`);
    expect(await health.json()).toMatchObject({ status: "ok" });
    const page = await (await fetch(server.url)).text();
    const assets = Array.from(
      page.matchAll(/(?:src|href)="\.?\/?(assets\/[^"]+)"/g),
      ([, path]) => path,
    );
    expect(assets).toEqual(expect.arrayContaining([expect.stringMatching(/\.js$/)]));
    const answers = assets.map(async (path) => (await fetch(`${server.url}/${path}`)).status);
    expect(new Set(await Promise.all(answers))).toEqual(new Set([200]));
    const login = { method: "POST", headers: { accept: "application/json" } };
    expect((await fetch(server.loginUrl, login)).status).toBe(200);
  });

  test("runs a turn, and keeps it in SQLite over a restart", async () => {
    const env = { TURNWIRE_DATA: join(project.directory, "restarted") };
    const first = await serve(env);
    const sent = await project.run("turnwire", ["send", "new", "Hello", "--wait", "--json"], {
      env,
    });
    const { session_id, text } = JSON.parse(sent);
    expect(text).toContain("And there is more");
    expect(await first.stop()).toBe(0);
    expect(await readdir(env.TURNWIRE_DATA)).toContain("turnwire.db");
    const second = await serve(env);
    onTestFinished(async () => void (await second.stop()));
    const { state } = await createClient(second).sessions.snapshot(session_id);
    expect(state.messages.map(({ role }) => role)).toEqual(["user", "agent"]);
  });

  test("talks to an agent from a Node script", async () => {
    await copyExample("node-script", "ask.js");
    const script = join("node-script", "ask.js");
    const printed = await project.run(process.execPath, [script, "Hello"], { env: connection() });
    expect(printed).toContain("And there is more");
  });

  test("makes a React page, with types, that shows a turn", async () => {
    const script = await buildPage("react-page", 'react from "@vitejs/plugin-react"', "react()");
    await writeTsconfig("react-page", { jsx: "react-jsx", types: [] });
    await project.run("tsc", ["--project", "react-page"]);
    expect(await talkInPage(script)).toContain("And there is more");
  });

  test("makes a Svelte page, with types, that shows a turn", async () => {
    const plugin = '{ svelte } from "@sveltejs/vite-plugin-svelte"';
    const script = await buildPage("svelte-page", plugin, "svelte()");
    await writeTsconfig("svelte-page", {
      customConditions: ["svelte"],
      types: ["svelte", "vite/client"],
    });
    await project.run("svelte-check", ["--tsconfig", "tsconfig.json", "--fail-on-warnings"], {
      directory: "svelte-page",
    });
    expect(await talkInPage(script)).toContain("And there is more");
  });

  test("runs the contract suite of runtimes in a test file of one's own", async () => {
    const contract = `
      import { runtimeContract } from "@turnwire/conformance";
      import { demo } from "@turnwire/runtime/demo";
      runtimeContract("demo", () => demo({ delayMs: 0 }), {
        prompts: { text: "hello", long: "/slow", permission: "/permission" },
        canResume: true,
      });`;
    await writeFile(join(project.directory, "runtime.test.js"), contract);
    const report = JSON.parse(await project.run("vitest", ["run", "--reporter", "json"]));
    expect(report).toMatchObject({ success: true, numFailedTests: 0 });
    expect(report.numPassedTests).toBeGreaterThan(5);
  });

  test("serves a wire that is written from its guide, which is checked with the types of all packages", async () => {
    const guide = await readFile(join(root, "docs/guides/write-a-wire.md"), "utf8");
    const directory = join(project.directory, "own-wire");
    await mkdir(directory);
    const files = Array.from(
      guide.matchAll(/^(?:`([\w.-]+)`.*:\n\n)?```(?:ts|json)\n([^]*?)^```/gm),
    );
    for (const [, name = "without-a-name", text = ""] of files) {
      await writeFile(join(directory, name), text);
    }
    expect((await readdir(directory)).toSorted()).toEqual([
      "lines.test.ts",
      "lines.ts",
      "native.ts",
      "serve.ts",
      "tsconfig.json",
    ]);
    await writeFile(join(directory, "package.json"), '{ "type": "module" }');
    await project.run("tsc", [], { directory: "own-wire" });
    await project.run("vitest", ["run", "lines.test.ts"], { directory: "own-wire" });

    const program = spawn("tsx", ["serve.ts"], {
      cwd: directory,
      env: { ...project.env, PORT: "0" },
      stdio: ["ignore", "pipe", "inherit"],
    });
    onTestFinished(() => void program.kill("SIGKILL"));
    const [printed]: string[] = await once(createInterface({ input: program.stdout }), "line");
    const [, url = "", token = ""] = /^(\S+) takes the token (\S+)$/.exec(printed ?? "") ?? [];
    const client = createClient({ url, token });
    const { session_id } = await client.sessions.create();
    const headers = { authorization: `Bearer ${token}` };
    const socket = new WebSocket(`${url.replace("http", "ws")}/lines/${session_id}`, { headers });
    onTestFinished(() => socket.close());
    await once(socket, "open");
    socket.send(JSON.stringify({ text: "hello" }));
    const [line] = await once(socket, "message");
    expect(JSON.parse(String(line))).toMatchObject({ who: "user", text: "hello" });
    const stream = await fetch(`${url}/sessions/${session_id}/lines`, { headers });
    const { value } = (await stream.body?.getReader().read()) ?? {};
    expect(new TextDecoder().decode(value)).toContain('"text":"hello"');
  });

  test("takes a store, runtimes and wires, and the types of it all are in order", async () => {
    const directory = join(project.directory, "embedded");
    await mkdir(directory);
    const program = `
      import { claude } from "@turnwire/runtime-claude";
      import { codex } from "@turnwire/runtime-codex";
      import { createTurnwireServer, openSqliteStore } from "@turnwire/server";
      import { kit } from "@turnwire/wire-kit";
      import { webkit } from "@turnwire/wire-webkit";
      const store = await openSqliteStore({ path: "./sessions.db" });
      const server = await createTurnwireServer({ store, runtimes: [claude(), codex()], wires: [webkit(), kit()] });
      const { url } = await server.listen();
      const headers = { authorization: \`Bearer \${server.token}\` };
      console.log((await fetch(\`\${url}/sessions\`, { headers })).status, (await fetch(\`\${url}/sessions\`)).status);
      await server.close();
      await store.close();`;
    await writeFile(join(directory, "embed.ts"), program);
    await writeFile(join(directory, "package.json"), '{ "type": "module" }');
    const tsconfig = { strict: true, skipLibCheck: false, module: "nodenext", types: ["node"] };
    const compilerOptions = { ...tsconfig, target: "es2023", noEmit: true };
    await writeFile(join(directory, "tsconfig.json"), JSON.stringify({ compilerOptions }));
    await project.run("tsc", [], { directory: "embedded" });
    expect(await project.run("tsx", ["embed.ts"], { directory: "embedded" })).toBe("200 401\n");
  });

  test("starts by the commands of the container file, in good health", async () => {
    const data = join(project.directory, "container-data");
    const image = await readImage({ "/app": project.directory, "/data": data, "/work": root });
    const env = { ...image.env, TURNWIRE_PORT: "0" };
    const container = await startPackedServer(project, image.command, env);
    onTestFinished(async () => void (await container.stop()));
    const { hostname, port } = new URL(container.loginUrl);
    expect(hostname).toBe("127.0.0.1");
    const [program, ...parameters] = image.healthCheck;
    const healthEnv = { ...image.env, TURNWIRE_PORT: port };
    expect(await project.run(program, parameters, { env: healthEnv })).toBe("");
    expect(await container.stop()).toBe(0);
    await expect(project.run(program, parameters, { env: healthEnv })).rejects.toThrow(program);
  });
});
