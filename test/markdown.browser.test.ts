import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openBlankPage } from "./support/browser-page.ts";

/** No inline script or style, nothing from elsewhere: what a careful application allows. */
const policy = "default-src 'none'; script-src 'self'; worker-src 'self'; img-src data:";
const html = `<!doctype html><meta charset="utf-8"><title>Markdown</title><body><script type="module" src="/page.js"></script>`;

async function bundle(entry: URL): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(entry)],
    bundle: true,
    write: false,
    format: "esm",
    jsx: "automatic",
    conditions: ["@turnwire/source"],
    define: { "process.env.NODE_ENV": '"production"' },
  });
  return outputFiles[0]?.text ?? "";
}

async function serve(): Promise<Server> {
  const page = new URL("support/markdown-page.ts", import.meta.url);
  const worker = new URL("../packages/markdown/src/highlight-worker.ts", import.meta.url);
  const files = new Map([
    ["/", { type: "text/html", text: html }],
    ["/page.js", { type: "text/javascript", text: await bundle(page) }],
    ["/highlight-worker.js", { type: "text/javascript", text: await bundle(worker) }],
  ]);
  const server = createServer(({ url = "/" }, response) => {
    const file = files.get(url);
    response.writeHead(file ? 200 : 404, {
      "content-type": file?.type ?? "text/plain",
      "content-security-policy": policy,
    });
    response.end(file?.text);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
}

describe("Markdown in Chromium, under a strict policy", () => {
  let server: Server;

  beforeAll(async () => {
    server = await serve();
  });

  afterAll(() => {
    server.close();
  });

  test("is coloured by a worker, and no attack runs, loads or breaks the policy", async () => {
    const { port } = server.address() as AddressInfo; // a TCP server has an address with a port
    const origin = `http://127.0.0.1:${port}`;
    const page = await openBlankPage();
    const incidents: string[] = [];
    const requested: string[] = [];
    page.on("dialog", (dialog) => {
      incidents.push(`dialog: ${dialog.message()}`);
      return dialog.dismiss();
    });
    page.on("pageerror", (error) => incidents.push(`error: ${error.message}`));
    page.on("console", (message) => {
      if (message.type() === "error" && !message.text().includes("404")) {
        incidents.push(`console: ${message.text()}`);
      }
    });
    page.on("request", (request) => requested.push(request.url()));
    await page.goto(origin);

    await page.locator(".tw-md-token-keyword", { hasText: "const" }).waitFor();
    for (const link of await page.locator(".tw-md a").all()) {
      await link.dispatchEvent("mouseover");
    }

    expect(incidents).toEqual([]);
    const elsewhere = requested.filter(
      (url) => !url.startsWith(origin) && !url.startsWith("data:"),
    );
    expect(elsewhere).toEqual([]);
    const found = await page.evaluate(() => ({
      path: location.pathname,
      strange: document.querySelectorAll(
        "main :is(script, svg, iframe, style, link, base, meta, form, [id])",
      ).length,
      shown: document.querySelectorAll("main .tw-md").length,
    }));
    expect(found).toMatchObject({ path: "/", strange: 0 });
    expect(found.shown).toBeGreaterThan(300);
  });
});
