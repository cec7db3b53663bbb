import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createClient, type TransportName, type TurnwireClient } from "@turnwire/client";
import { foldAll, initialState } from "@turnwire/protocol";
import { build } from "esbuild";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { launchChromium } from "./support/chromium.ts";
import { CrashingServer, token } from "./support/crashing-server.ts";
import { CuttingProxy, type Cut } from "./support/cutting-proxy.ts";
import { runtimeProgram } from "./support/runtime-program.ts";
import type { Reading, ReadingOptions } from "./support/session-reading.ts";

const run = promisify(execFile);
/** A server is started twice and a program loaded, on whatever machine. */
const timeout = 120_000;
let directory: string;
let program: string;
let site: Server;
let origin: string;
let browser: Browser;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "turnwire-runtime-"));
  program = join(directory, "session-reading.mjs");
  const page = await bundle("session-reading-page.ts");
  await bundle("session-reading-main.ts", program);
  site = createServer((_request, response) => {
    const html = `<!doctype html><meta charset="utf-8"><script type="module">${page}</script>`;
    response.writeHead(200, { "content-type": "text/html" }).end(html);
  });
  await new Promise<void>((resolve) => {
    site.listen(0, "127.0.0.1", resolve);
  });
  origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  browser = await launchChromium();
});

afterAll(async () => {
  await browser.close();
  site.closeAllConnections();
  site.close();
  await rm(directory, { recursive: true, force: true });
});

/** The client and a program around it in one file that any runtime loads. */
async function bundle(entry: string, outfile?: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL(`support/${entry}`, import.meta.url))],
    bundle: true,
    write: outfile !== undefined,
    ...(outfile !== undefined && { outfile }),
    format: "esm",
    platform: "neutral",
    target: "es2023",
    conditions: ["@turnwire/source"],
  });
  return outputFiles?.[0]?.text.replaceAll("</script", "<\\/script") ?? "";
}

interface Stage {
  readonly proxy: CuttingProxy;
  /** Past the proxy. */
  readonly direct: TurnwireClient;
  readonly sessionId: string;
  /** Kills the server and starts it again, with the same file on the same port. */
  restart(): Promise<void>;
}

/** A server behind a line that breaks, and a session whose agent speaks slowly. */
async function setStage(...cuts: Cut[]): Promise<Stage> {
  const data = await mkdtemp(join(directory, "data-"));
  const proxy = await CuttingProxy.start();
  proxy.cuts.push(...cuts);
  const doors = { allowedHosts: [proxy.host], allowedOrigins: [origin] };
  let starting = CrashingServer.start(data, undefined, doors);
  onTestFinished(async () => {
    await proxy.close();
    await (await starting).kill();
  });
  const { url, port } = await starting;
  proxy.target = port;
  const direct = createClient({ url, token, random: () => 0.05 });
  const { session_id } = await direct.sessions.create({ params: { delay_ms: 12 } });
  return {
    proxy,
    direct,
    sessionId: session_id,
    restart: async () => {
      await (await starting).kill();
      starting = CrashingServer.start(data, undefined, { ...doors, port });
      await starting;
    },
  };
}

/** Says something and resolves when the agent has come to an event of that type. */
async function say({ direct, sessionId }: Stage, message: string, until: string): Promise<void> {
  const { seq } = await direct.sessions.message(sessionId, { message });
  for await (const { type } of direct.events(sessionId, { after: seq })) if (type === until) return;
}

/** A conversation of three turns, with the server's death in the middle of the second. */
async function play(stage: Stage): Promise<void> {
  await say(stage, "/thinking", "done");
  await playOn(stage);
}

async function playOn(stage: Stage): Promise<void> {
  await say(stage, "/markdown", "delta");
  await stage.restart();
  await say(stage, "/plan", "done");
}

/** What a fresh replay of the log gives, as far as a reading has come. */
async function replay({ direct, sessionId }: Stage, { state, runtime }: Reading): Promise<Reading> {
  const { events } = await direct.sessions.eventPage(sessionId, { limit: 1_000 });
  const isLost = events.some(({ type, data }) => type === "error" && data.code === "turn_lost");
  if (!isLost) throw new Error("the server did not die in mid-turn");
  const read = events.slice(0, state.seq);
  return { seqs: read.map(({ seq }) => seq), state: foldAll(initialState(), read), runtime };
}

const breaks: Cut[] = [
  { bytes: 0, of: "answer", by: "reset" },
  { bytes: 700, of: "body", by: "reset" },
  { bytes: 333, of: "body", by: "end" },
  { bytes: 150, of: "answer", by: "end" },
  { bytes: 1_500, of: "body", by: "reset" },
  { bytes: 2_000, of: "body", by: "end" },
];

const programs: Record<string, readonly [string | undefined, ...string[]]> = {
  node: [process.execPath],
  bun: [runtimeProgram("bun"), "run"],
  deno: [runtimeProgram("deno"), "run", "--allow-all", "--no-config"],
};

/** Node 20 has no WebSocket of its own. */
const runs = Object.entries(programs).flatMap(([name, [path, ...options]]) =>
  (name === "node" ? (["auto"] as const) : (["auto", "websocket"] as const)).map((transport) => ({
    name,
    path,
    options,
    transport,
  })),
);

describe("the client through cuts and a server that dies in mid-turn", { timeout }, () => {
  test.each(runs)(
    "in $name with transport $transport",
    async ({ name, path, options, transport }) => {
      if (path === undefined) throw new Error(`npm has brought no ${name} for this machine`);
      const stage = await setStage(...breaks);
      const { sessionId, proxy } = stage;
      const asked: ReadingOptions = { url: proxy.url, token, sessionId, transport, turns: 3 };
      const [{ stdout }] = await Promise.all([
        run(path, [...options, program, JSON.stringify(asked)], {
          maxBuffer: 64 * 1024 * 1024,
          timeout,
        }),
        play(stage),
      ]);
      const reading: Reading = JSON.parse(stdout);
      expect(reading.runtime).toBe(name);
      expect(proxy.upgradeCount > 0).toBe(transport === "websocket");
      expect(reading).toEqual(await replay(stage, reading));
    },
  );

  test.each(["auto", "sse"] as const)("in Chromium with transport %s", async (transport) => {
    const stage = await setStage(...breaks);
    const { read } = await openPage(stage, transport);
    const [reading] = await Promise.all([read(), play(stage)]);
    expect(reading.runtime).toBe("browser");
    expect(stage.proxy.upgradeCount > 0).toBe(transport === "auto");
    expect(reading).toEqual(await replay(stage, reading));
  });

  test("in Chromium where no WebSocket gets through", async () => {
    const stage = await setStage();
    stage.proxy.refusesUpgrades = true;
    const { read } = await openPage(stage, "auto");
    const [reading] = await Promise.all([read(), play(stage)]);
    expect(stage.proxy.upgradeCount).toBeGreaterThan(0);
    expect(stage.proxy.streamCount).toBeGreaterThan(0);
    expect(reading).toEqual(await replay(stage, reading));
  });

  test("in ten tabs at once, where a browser opens six connections of HTTP/1.1", async () => {
    const stage = await setStage();
    const { page, read } = await openPage(stage, "auto");
    const tabs = [read];
    while (tabs.length < 10) tabs.push((await openPage(stage, "auto", page.context())).read);
    const [readings] = await Promise.all([
      Promise.all(tabs.map((readTab) => readTab())),
      play(stage),
    ]);
    for (const reading of readings) expect(reading).toEqual(await replay(stage, reading));
  });

  test("in a tab that is frozen while it happens", async () => {
    const stage = await setStage();
    const { page, read } = await openPage(stage, "auto");
    const reading = read();
    const devtools = await page.context().newCDPSession(page);
    await say(stage, "/thinking", "done");
    await devtools.send("Page.setWebLifecycleState", { state: "frozen" });
    await playOn(stage);
    await devtools.send("Page.setWebLifecycleState", { state: "active" });
    expect(await reading).toEqual(await replay(stage, await reading));
  });

  test("in a page that is offline while it happens", async () => {
    const stage = await setStage();
    const { page, read } = await openPage(stage, "auto");
    const reading = read();
    await say(stage, "/thinking", "done");
    await page.context().setOffline(true);
    await playOn(stage);
    await page.context().setOffline(false);
    expect(await reading).toEqual(await replay(stage, await reading));
  });
});

async function openPage(
  { proxy, sessionId }: Stage,
  transport: TransportName,
  context?: BrowserContext,
): Promise<{ page: Page; read: () => Promise<Reading> }> {
  const window = context ?? (await browser.newContext());
  onTestFinished(() => window.close());
  const page = await window.newPage();
  await page.goto(origin);
  await page.waitForFunction("globalThis.readSession !== undefined");
  const asked: ReadingOptions = { url: proxy.url, token, sessionId, transport, turns: 3 };
  const read = (): Promise<Reading> => page.evaluate(`readSession(${JSON.stringify(asked)})`);
  return { page, read };
}
