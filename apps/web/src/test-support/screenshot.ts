/**
 * Takes the pictures of `docs/screenshots`: `npm run screenshots`, or with names to take only those.
 * The demo agent plays in a server of its own; nothing of this machine is in them.
 */
import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { createClient, type TurnwireClient } from "@turnwire/client";
import {
  createDemoRuntime,
  createMemoryStore,
  createSessionHost,
  createTurnwireServer,
} from "@turnwire/server";
import { chromium, type Browser, type Page } from "playwright-core";
import { builtApp } from "./built-app.ts";
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

interface Studio {
  readonly browser: Browser;
  readonly client: TurnwireClient;
  readonly root: string;
  readonly url: string;
  readonly loginUrl: () => string;
}

async function take(studio: Studio, scene: Scene): Promise<void> {
  const { browser, client, root } = studio;
  const context = await browser.newContext({
    viewport: scene.viewport ?? usualViewport,
    deviceScaleFactor: 2,
    colorScheme: scene.isDark ? "dark" : "light",
    reducedMotion: "reduce",
    ...(scene.viewport && { isMobile: true, hasTouch: true }),
  });
  const page = await context.newPage();
  await page.goto(studio.loginUrl());
  await page.locator("#main").waitFor();
  if (scene.title !== undefined) {
    const cwd = join(root, "website");
    const { session_id: id } = await client.sessions.create({ title: scene.title, cwd });
    await page.goto(`${studio.url}/s/${id}`);
    for (const text of scene.says ?? []) {
      await page.getByRole("button", { name: "Send", exact: true }).waitFor();
      const field = page.getByRole("textbox", { name: "Message", exact: true });
      await field.fill(text);
      await field.press("Enter");
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

async function main(): Promise<void> {
  const wanted = process.argv.slice(2);
  const root = await realpath(await mkdtemp(join(tmpdir(), "turnwire-screenshot-")));
  for (const place of ["website", "api"]) await mkdir(join(root, place));
  const host = createSessionHost({
    store: createMemoryStore(),
    runtimes: [createDemoRuntime({ delayMs: 8 })],
    defaultRuntime: "demo",
    roots: [root],
  });
  const auth = { type: "token", token } as const;
  const server = await createTurnwireServer({ host, auth, webRoot: await builtApp() });
  const { url } = await server.listen({ port: 0 });
  const client = createClient({ url, token });
  const executablePath = execFileSync("which", ["chromium"], { encoding: "utf8" }).trim();
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  try {
    await mkdir(target, { recursive: true });
    for (const { title, place, says } of company) {
      const { session_id: id } = await client.sessions.create({ title, cwd: join(root, place) });
      if (says !== undefined) await client.sessions.message(id, { message: says });
    }
    const studio = { browser, client, root, url, loginUrl: () => server.loginUrl() };
    for (const scene of scenes) {
      if (wanted.length === 0 || wanted.includes(scene.name)) await take(studio, scene);
    }
  } finally {
    await browser.close();
    await server.close();
    await rm(root, { recursive: true, force: true });
  }
}

await main();
