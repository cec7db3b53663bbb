/**
 * Takes the pictures of `docs/screenshots`: `npm run screenshots`, or with names to take only those.
 * The demo agent plays in a server of its own; nothing of this machine is in them.
 */
import { demo } from "@turnwire/runtime/demo";
import { codex } from "@turnwire/runtime-codex";
import { claude } from "@turnwire/runtime-claude";
import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { createClient, type TurnwireClient } from "@turnwire/client";
import {
  createMemoryStore,
  createSessionHost,
  createTurnwireServer,
  type TurnwireServer,
} from "@turnwire/server";
import { relaySearch } from "@turnwire/wire-relay";
import { chromium, type Browser, type Page } from "playwright-core";
import { builtApp } from "./built-app.ts";
import { memoryProjects } from "./project.ts";
import { scenes, type Scene } from "./screenshot-scene.ts";

const token = "screenshot-token-0123456789-abcdefghijklmnopqrstuvwxyz";
const target = join(
  dirname(fileURLToPath(import.meta.url)),
  "..",
  "..",
  "..",
  "..",
  "docs",
  "screenshots",
);
const usualViewport = { width: 1280, height: 800 };
const QUALITY = 0.82;
const ATTEMPTS = 12;

/** What the list of sessions holds beside the one on show. */
const company: readonly {
  readonly title: string;
  readonly place: string;
  readonly says?: string;
}[] = [
  { title: "Update the dependencies", place: "api", says: "/permission" },
  { title: "Explain the retry logic", place: "api" },
  { title: "Draw the onboarding page", place: "website" },
];

/** What the project on show configures, so that there is something to trust. */
const projectFiles: Readonly<Record<string, string>> = {
  "CLAUDE.md": "Run `npm test` before you say that something works.\n",
  ".mcp.json": JSON.stringify({
    mcpServers: { issues: { command: "npx", args: ["issue-server", "--read-only"] } },
  }),
  ".claude/settings.json": JSON.stringify({
    hooks: { PostToolUse: [{ hooks: [{ type: "command", command: "npm run format" }] }] },
  }),
  ".claude/agents/reviewer.md":
    "---\nname: reviewer\ndescription: Reviews changes\n---\nBe strict.\n",
};

interface Studio {
  readonly browser: Browser;
  readonly client: TurnwireClient;
  readonly server: TurnwireServer;
  /** The home directory of the person in the pictures. */
  readonly home: string;
  readonly url: string;
}

async function take(studio: Studio, scene: Scene): Promise<void> {
  const { browser, client, home } = studio;
  const context = await browser.newContext({
    viewport: scene.viewport ?? usualViewport,
    deviceScaleFactor: 2,
    colorScheme: scene.isDark ? "dark" : "light",
    reducedMotion: "reduce",
    ...(scene.viewport && { isMobile: true, hasTouch: true }),
  });
  const page = await context.newPage();
  await page.goto(await studio.server.loginUrl());
  await page.locator("#main").waitFor();
  if (scene.title !== undefined) {
    const cwd = join(home, "code", "website");
    const { session_id: id } = await client.sessions.create({
      title: scene.title,
      cwd,
      runtime: "demo",
    });
    await page.goto(`${studio.url}/s/${id}`);
    for (const text of scene.says ?? []) {
      await page.getByRole("button", { name: "Send", exact: true }).waitFor();
      const field = page.getByRole("textbox", { name: "Message", exact: true });
      await field.fill(text);
      await field.press("Control+Enter");
      await page.getByRole("article", { name: "You" }).getByText(text, { exact: true }).waitFor();
    }
  }
  await scene.prepare(page);
  await page.evaluate("document.fonts.ready");
  await page.mouse.move(0, 0);
  const picture = await settledPicture(page);
  await writeFile(join(target, `${scene.name}.webp`), await webpFrom(page, picture));
  await context.close();
}

/** A picture that is the same twice in a row: colours of code and scrolling come a little later. */
async function settledPicture(page: Page): Promise<Buffer> {
  const shoot = () => page.screenshot({ animations: "disabled", caret: "hide" });
  let before = await shoot();
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const picture = await shoot();
    if (picture.equals(before)) return picture;
    before = picture;
  }
  return before;
}

/** Chromium writes WebP itself, a third of the PNG's size at twice the density. */
async function webpFrom(page: Page, png: Buffer): Promise<Buffer> {
  const blank = await page.context().newPage();
  const source = `data:image/png;base64,${png.toString("base64")}`;
  const address = await blank.evaluate<string, { source: string; quality: number }>(
    async (input) => {
      const image = new Image();
      image.src = input.source;
      await image.decode();
      const canvas = document.createElement("canvas");
      canvas.width = image.naturalWidth;
      canvas.height = image.naturalHeight;
      canvas.getContext("2d")?.drawImage(image, 0, 0);
      return canvas.toDataURL("image/webp", input.quality);
    },
    { source, quality: QUALITY },
  );
  return Buffer.from(address.slice(address.indexOf(",") + 1), "base64");
}

/** A server with the real agents, which find a key only where they are given one, and never use it. */
async function openStudio(browser: Browser, home: string, hasKey: boolean): Promise<Studio> {
  // With its own directory first, where the agents' programs are: so they are called by their names.
  const environment = { HOME: home, PATH: `${join(home, "bin")}:${process.env["PATH"] ?? ""}` };
  const key = hasKey ? { ANTHROPIC_API_KEY: "only for the picture" } : { ANTHROPIC_API_KEY: "" };
  const host = createSessionHost({
    store: createMemoryStore(),
    runtimes: [
      demo({ delayMs: 8 }),
      claude({ env: { ...environment, ...key } }),
      codex({
        home: join(home, ".codex"),
        env: { HOME: home, OPENAI_API_KEY: "" },
      }),
    ],
    roots: [],
    projects: memoryProjects(home),
  });
  host.probeRuntimes();
  const auth = { type: "token", token } as const;
  const server = await createTurnwireServer({
    host,
    auth,
    webRoot: await builtApp(),
    wires: [relaySearch([])],
  });
  const { url } = await server.listen({ port: 0 });
  return { browser, client: createClient({ url, token }), server, home, url };
}

async function furnish({ client, home }: Studio): Promise<void> {
  while ((await client.runtimes()).runtimes.some(({ is_probing }) => is_probing)) await wait(500);
  for (const place of ["api", "website"]) await client.projects.add(join(home, "code", place));
  for (const { title, place, says } of company) {
    const cwd = join(home, "code", place);
    const { session_id: id } = await client.sessions.create({ title, cwd, runtime: "demo" });
    if (says !== undefined) await client.sessions.message(id, { message: says });
  }
}

async function makeHome(): Promise<string> {
  const home = await realpath(await mkdtemp(join(tmpdir(), "turnwire-screenshot-")));
  for (const place of ["code/website", "code/api", "notes", ".codex", "bin"]) {
    await mkdir(join(home, place), { recursive: true });
  }
  await writeFile(join(home, "bin", "claude"), "#!/bin/sh\n", { mode: 0o755 });
  const website = join(home, "code", "website");
  for (const [path, text] of Object.entries(projectFiles)) {
    await mkdir(dirname(join(website, path)), { recursive: true });
    await writeFile(join(website, path), text);
  }
  execFileSync("git", ["init", "--quiet", "--initial-branch=main"], { cwd: website });
  return home;
}

async function main(): Promise<void> {
  const wanted = process.argv.slice(2);
  const home = await makeHome();
  const executablePath = execFileSync("which", ["chromium"], { encoding: "utf8" }).trim();
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  const bare = await openStudio(browser, home, false);
  const furnished = await openStudio(browser, home, true);
  try {
    await mkdir(target, { recursive: true });
    await furnish(furnished);
    for (const scene of scenes) {
      if (wanted.length > 0 && !wanted.includes(scene.name)) continue;
      await take(scene.isFirstStart ? bare : furnished, scene);
    }
  } finally {
    await browser.close();
    await bare.server.close();
    await furnished.server.close();
    await rm(home, { recursive: true, force: true });
  }
}

await main();
