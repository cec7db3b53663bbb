import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TransportName } from "@turnwire/client";
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll } from "vitest";
import { openBlankPage } from "./browser-page.ts";
import type { Cut } from "./cutting-proxy.ts";
import {
  breaks,
  bundle,
  play,
  readingOptions,
  replay,
  setStage,
  type Stage,
} from "./reading-stage.ts";
import type { Reading } from "./session-reading.ts";

let directory: string;
let origin: string;
let site: Server;

/** A site with a page that reads a session, for the tests of a file. */
export function useReadingSite(): void {
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "turnwire-runtime-"));
    const page = (await bundle("session-reading-page.ts")).replaceAll("</script", "<\\/script");
    site = createServer((_request, response) => {
      const html = `<!doctype html><meta charset="utf-8"><script type="module">${page}</script>`;
      response.writeHead(200, { "content-type": "text/html" }).end(html);
    });
    await new Promise<void>((resolve) => {
      site.listen(0, "127.0.0.1", resolve);
    });
    origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  });

  afterAll(async () => {
    site.closeAllConnections();
    site.close();
    await rm(directory, { recursive: true, force: true });
  });
}

/** A server behind a connection that breaks; pages of the site may read it. */
export function setPageStage(...cuts: Cut[]): Promise<Stage> {
  return setStage({ directory, origins: [origin] }, ...cuts);
}

export async function openPage(
  stage: Stage,
  transport: TransportName,
  context?: BrowserContext,
): Promise<{ page: Page; read: () => Promise<Reading> }> {
  const page = context ? await context.newPage() : await openBlankPage();
  await page.goto(origin);
  await page.waitForFunction("globalThis.readSession !== undefined");
  const asked = JSON.stringify(readingOptions(stage, transport));
  const read = (): Promise<Reading> => page.evaluate(`readSession(${asked})`);
  return { page, read };
}

/** The reading of the client in a page, through every cut and a restart of the server. */
export async function readThroughCuts(transport: "auto" | "sse") {
  const stage = await setPageStage(...breaks);
  const { read } = await openPage(stage, transport);
  const [reading] = await Promise.all([read(), play(stage)]);
  const hasUpgraded = stage.proxy.upgradeCount > 0;
  return { reading, hasUpgraded, replayed: await replay(stage, reading) };
}
