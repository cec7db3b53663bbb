import { demo } from "@turnwire/runtime/demo";
import { DemoSteps } from "@turnwire/conformance";
import {
  createMemoryStore,
  createSessionHost,
  createTurnwireServer,
  type TurnwireServer,
} from "@turnwire/server";
import { webkit } from "@turnwire/wire-webkit";
import { build } from "esbuild";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { openBlankPage } from "./support/browser-page.ts";

const token = "webkit-token-0123456789-abcdefghijklmnopqrstuvwxyz";

/** A site of its own that serves agent-webkit's React hook in a small page. */
async function startSite(): Promise<{ site: Server; origin: string }> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL("support/webkit-page.ts", import.meta.url))],
    bundle: true,
    write: false,
    format: "esm",
    define: { "process.env.NODE_ENV": '"production"' },
  });
  const script = outputFiles[0]?.text ?? "";
  const html = `<!doctype html><meta charset="utf-8"><div id="root"></div><script type="module">${script.replaceAll("</script", "<\\/script")}</script>`;
  const site = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "text/html" }).end(html);
  });
  await new Promise<void>((resolve) => {
    site.listen(0, "127.0.0.1", resolve);
  });
  const address = site.address();
  if (typeof address !== "object" || !address) throw new Error("the site has no port");
  return { site, origin: `http://127.0.0.1:${address.port}` };
}

const steps = new DemoSteps();
let site: Server;
let origin: string;
let server: TurnwireServer;
let url: string;

beforeAll(async () => {
  ({ site, origin } = await startSite());
  const host = createSessionHost({
    store: createMemoryStore(),
    runtimes: [demo({ delayMs: 0 }), { ...demo({ pace: steps }), name: "stepped" }],
    defaultRuntime: "demo",
    roots: [tmpdir()],
  });
  const auth = { type: "token", token } as const;
  server = await createTurnwireServer({
    host,
    auth,
    allowedOrigins: [origin],
    wires: [webkit()],
  });
  ({ url } = await server.listen());
});

afterAll(async () => {
  site.closeAllConnections();
  site.close();
  await server.close();
});

async function openPage(parameters: Record<string, string> = {}): Promise<Page> {
  const page = await openBlankPage();
  const query = new URLSearchParams({ server: url, token, ...parameters });
  await page.goto(`${origin}/?${query.toString()}`);
  return page;
}

/** A page with a session of its own. */
async function openChat(): Promise<{ page: Page; session: string }> {
  const page = await openPage();
  await page.waitForSelector("#session:not(:empty)");
  return { page, session: (await page.textContent("#session")) ?? "" };
}

/** A session of an agent that says as much as the test lets through. */
async function createSteppedSession(): Promise<string> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const body = JSON.stringify({ runtime: "stepped" });
  const answer = await fetch(`${url}/sessions`, { method: "POST", headers, body });
  const { session_id } = (await answer.json()) as { session_id: string };
  return session_id;
}

async function press(page: Page, label: string): Promise<void> {
  await page.click(`button:text-is("${label}")`);
}

async function say(page: Page, text: string): Promise<void> {
  await page.fill("input", text);
  await press(page, "Send");
}

function hasStatus(page: Page, status: string): Promise<unknown> {
  return page.waitForSelector(`#status:text-is("${status}")`);
}

function assistant(page: Page): Promise<string[]> {
  return page.locator("li.assistant").allTextContents();
}

describe("agent-webkit's React hook on a page of another site", () => {
  test("streams an answer and is idle after it", async () => {
    const { page } = await openChat();
    await say(page, "thinking");
    await page.waitForSelector("li.assistant:has-text('npm install')");
    await hasStatus(page, "idle");
    expect(await page.locator("li.user").allTextContents()).toEqual(["thinking"]);
    expect(await assistant(page)).toHaveLength(1);
    expect(await page.textContent("#error")).toBe("");
  });

  test("asks for permission, runs the tool, and is idle after the turn", async () => {
    const { page } = await openChat();
    await say(page, "permission");
    await press(page, "Allow");
    await page.waitForSelector("li.tool_result:has-text('Done.')");
    await page.waitForSelector("li.assistant:has-text('Done, with this input')");
    await hasStatus(page, "idle");
    await expect.poll(() => page.locator("button", { hasText: "Allow" }).count()).toBe(0);
    expect(await assistant(page)).toEqual([
      "I would like to use Bash.\n\n[tool_use]",
      expect.stringContaining("npm test"),
    ]);
  });

  test("is idle after each of many turns that end as soon as they are allowed", async () => {
    const { page } = await openChat();
    for (let round = 1; round <= 10; round++) {
      await say(page, "permission");
      await press(page, "Allow");
      await page.waitForFunction(
        (count) => document.querySelectorAll("li.tool_result").length === count,
        round,
      );
      await hasStatus(page, "idle");
    }
    expect(await page.textContent("#refusal")).toBe("");
  });

  test("takes the answers to questions", async () => {
    const { page } = await openChat();
    await say(page, "question");
    await press(page, "Answer");
    await page.waitForSelector("li.assistant:has-text('SQLite')");
    await hasStatus(page, "idle");
    expect((await assistant(page)).at(-1)).toContain("Which pages do you want? **Login**");
  });

  test("shows why a turn failed, and is idle after it", async () => {
    const { page } = await openChat();
    await say(page, "error");
    await page.waitForSelector("#error:has-text('The model is overloaded')");
    await hasStatus(page, "idle");
    await say(page, "thinking");
    await page.waitForSelector("li.assistant:has-text('npm install')");
    await hasStatus(page, "idle");
    expect(await page.textContent("#error")).toContain("The model is overloaded");
  });

  test("stops a turn", async () => {
    const page = await openPage({ session: await createSteppedSession() });
    await say(page, "slow");
    await steps.next(20);
    await page.waitForSelector("li.assistant");
    await press(page, "Stop");
    await hasStatus(page, "idle");
    expect((await assistant(page)).join()).not.toContain("40.");
  });

  test("on two pages shows both the same, and tells the slower one that it lost", async () => {
    const { page, session } = await openChat();
    const other = await openPage({ session });
    await say(page, "permission");
    await other.waitForSelector("button:text-is('Allow')");
    await press(page, "Allow");
    await page.waitForSelector("li.assistant:has-text('Done, with this input')");
    await press(other, "Allow");
    await other.waitForSelector("#refusal:has-text('Conflict')");
    await other.waitForSelector("li.assistant:has-text('Done, with this input')");
    expect(await assistant(other)).toEqual(await assistant(page));
  });

  test("shows the conversation again to a page that comes back", async () => {
    const { page, session } = await openChat();
    await say(page, "thinking");
    await page.waitForSelector("li.assistant:has-text('npm install')");
    await hasStatus(page, "idle");
    const later = await openPage({ session });
    await later.waitForSelector("li.assistant:has-text('npm install')");
    expect(await assistant(later)).toEqual(await assistant(page));
  });

  test("hears of the end of the session on every page", async () => {
    const { page, session } = await openChat();
    const other = await openPage({ session });
    await say(page, "permission");
    await hasStatus(other, "awaiting_permission");
    await press(page, "End");
    await hasStatus(other, "idle");
    await say(other, "hello?");
    await other.waitForSelector("#refusal:has-text('404')");
    expect(await assistant(other)).toHaveLength(1);
  });

  test("is notified when its token is wrong, and pages of other origins are not let in", async () => {
    const { session } = await openChat();
    const stranger = await openPage({ session, token: "wrong" });
    await stranger.waitForSelector("#error:has-text('401')");
    const { site: foreign, origin: foreignOrigin } = await startSite();
    onTestFinished(() => void foreign.close());
    const page = await openBlankPage();
    const failed = page.waitForEvent("requestfailed");
    const query = new URLSearchParams({ server: url, token, session });
    await page.goto(`${foreignOrigin}/?${query.toString()}`);
    expect((await failed).url()).toBe(`${url}/sessions/${session}/stream`);
  });
});
