import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { HttpBindings } from "@hono/node-server";
import { serveStatic } from "@hono/node-server/serve-static";
import type { Hono } from "hono";
import { escapeHtml } from "./escape-html.ts";
import { isLoopbackHost } from "./host-list.ts";

/** An application may load itself and talk to us and, on this machine, to ports of it, and nothing else. */
function webPolicy(ports: readonly number[]): string {
  const sockets = ports.map((port) => ` ws://127.0.0.1:${port}`).join("");
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    `connect-src 'self'${sockets}`,
    "worker-src 'self'",
    "manifest-src 'self'",
    "base-uri 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
}

export interface WebAppOptions {
  /** Where the built application is. */
  readonly root: string;
  readonly cliOptions?: string;
  readonly pagePorts: readonly number[];
}

/** What a build puts here has its content's hash in its name. */
const HASHED = "/assets/";
const FOR_EVER = "public, max-age=31536000, immutable";

const BASE_TAG = /<base href="[^"]*"/;
const CLI_TAG = /<meta name="turnwire-cli-options" content="[^"]*"/;

/** Files of a built application, and its first page for every other path that a person opens. */
export function serveWebApp(
  app: Hono<{ Bindings: HttpBindings }>,
  { root, cliOptions = "", pagePorts }: WebAppOptions,
): void {
  const policyFor = (host: string): string => webPolicy(isLoopbackHost(host) ? pagePorts : []);
  const serveFile = serveStatic<{ Bindings: HttpBindings }>({ root, precompressed: true });
  app.get("*", async (context, next) => {
    const { path } = context.req;
    const policy = policyFor(context.req.header("host") ?? "");
    const isFirstPage = path === "/" || path === "/index.html";
    const file = isFirstPage ? undefined : await serveFile(context, async () => undefined);
    if (file) {
      file.headers.set("cache-control", path.startsWith(HASHED) ? FOR_EVER : "no-cache");
      // A worker lives by the policy of its own script.
      file.headers.set("content-security-policy", policy);
      return file;
    }
    const wantsPage = context.req.header("accept")?.includes("text/html") ?? false;
    if (!isFirstPage && !wantsPage) return next();
    const page = await readFile(join(root, "index.html"), "utf8");
    const placed = page
      .replace(BASE_TAG, `<base href="${wayToRoot(path)}"`)
      .replace(
        CLI_TAG,
        () => `<meta name="turnwire-cli-options" content="${escapeHtml(cliOptions)}"`,
      );
    return context.body(placed, 200, {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": policy,
      "cache-control": "no-cache",
    });
  });
}

/**
 * From a page to the application's root, relative: a proxy may serve us under a path
 * that we never hear of.
 */
function wayToRoot(path: string): string {
  return "../".repeat(path.split("/").length - 2) || "./";
}
