import { afterEach, describe, expect, test, vi } from "vitest";
import { createPlatform, type Hint } from "./platform.ts";

afterEach(() => {
  vi.unstubAllGlobals();
});

describe("the platform of the running program", () => {
  test("makes ids that differ and are harmless in urls and logs", () => {
    const { createId } = createPlatform();
    const ids = new Set(Array.from({ length: 1_000 }, () => createId()));
    expect(ids.size).toBe(1_000);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{32}$/);
  });

  test("passes on hints of a browser until no listener is left", () => {
    const page = Object.assign(new EventTarget(), { visibilityState: "visible" });
    const window = new EventTarget();
    vi.stubGlobal("window", window);
    vi.stubGlobal("document", page);
    const hints: Hint[] = [];
    const stop = createPlatform().onHint((hint) => hints.push(hint));
    const happen = (): void => {
      window.dispatchEvent(new Event("offline"));
      window.dispatchEvent(new Event("online"));
      page.dispatchEvent(new Event("visibilitychange"));
    };
    happen();
    page.visibilityState = "hidden";
    page.dispatchEvent(new Event("visibilitychange"));
    stop();
    page.visibilityState = "visible";
    happen();
    expect(hints).toEqual(["offline", "online", "visible"]);
  });

  test("reports when a page is put away and when it comes back", () => {
    const page = Object.assign(new EventTarget(), { visibilityState: "hidden" });
    const window = new EventTarget();
    vi.stubGlobal("window", window);
    vi.stubGlobal("document", page);
    const hints: Hint[] = [];
    createPlatform().onHint((hint) => hints.push(hint));
    const turned = (type: string, persisted: boolean): Event =>
      Object.assign(new Event(type), { persisted });
    window.dispatchEvent(turned("pageshow", false));
    window.dispatchEvent(turned("pagehide", false));
    expect(hints).toEqual([]);
    window.dispatchEvent(turned("pagehide", true));
    window.dispatchEvent(turned("pageshow", true));
    page.dispatchEvent(new Event("freeze"));
    page.dispatchEvent(new Event("resume"));
    expect(hints).toEqual(["frozen", "resumed", "frozen", "resumed"]);
  });

  test("knows a browser by its document, and a worker of one by how it loads scripts", () => {
    expect(createPlatform().isBrowser).toBe(false);
    vi.stubGlobal("importScripts", () => undefined);
    expect(createPlatform().isBrowser).toBe(true);
    vi.unstubAllGlobals();
    vi.stubGlobal("document", new EventTarget());
    expect(createPlatform().isBrowser).toBe(true);
  });

  test("has no hints outside a browser", () => {
    const stop = createPlatform().onHint(() => {
      throw new Error("no hints here");
    });
    expect(stop).not.toThrow();
  });

  test("opens WebSockets where the runtime has them, and has no such part elsewhere", () => {
    vi.stubGlobal("WebSocket", undefined);
    expect(createPlatform().createWebSocket).toBeUndefined();
    const opened: unknown[][] = [];
    vi.stubGlobal("WebSocket", function WebSocket(...args: unknown[]) {
      opened.push(args);
    });
    createPlatform().createWebSocket?.("ws://server", ["turnwire"]);
    expect(opened).toEqual([["ws://server", ["turnwire"]]]);
  });

  test("opens WebSockets to the page's own server by the whole address", () => {
    const opened: unknown[][] = [];
    vi.stubGlobal("WebSocket", function WebSocket(...args: unknown[]) {
      opened.push(args);
    });
    vi.stubGlobal("location", { href: "https://agents.example/app/#s1" });
    createPlatform().createWebSocket?.("/sessions/s1/ws", []);
    createPlatform().createWebSocket?.("ws://elsewhere:1/ws", []);
    expect(opened.map(([url]) => url)).toEqual([
      "wss://agents.example/sessions/s1/ws",
      "ws://elsewhere:1/ws",
    ]);
  });

  test("reads the page's key for the server that the page came from, and for no other", () => {
    const stored = new Map([
      ["turnwire_page_key:/", "root key"],
      ["turnwire_page_key:/tools/agents/", "path key"],
    ]);
    vi.stubGlobal("localStorage", { getItem: (name: string) => stored.get(name) ?? null });
    expect(createPlatform().pageKey("http://127.0.0.1:4747")).toBeUndefined();
    vi.stubGlobal("location", { href: "http://127.0.0.1:4747/s/some-session" });
    const { pageKey } = createPlatform();
    expect(pageKey("")).toBe("root key");
    expect(pageKey("http://127.0.0.1:4747")).toBe("root key");
    expect(pageKey("/tools/agents")).toBe("path key");
    expect(pageKey("http://127.0.0.1:4747/other")).toBeUndefined();
    expect(pageKey("http://127.0.0.1:3000")).toBeUndefined();
    expect(pageKey("https://127.0.0.1:4747")).toBeUndefined();
    vi.stubGlobal("localStorage", {
      getItem: () => {
        throw new Error("SecurityError");
      },
    });
    expect(pageKey("")).toBeUndefined();
  });

  test("shows what a listener threw the way the runtime shows errors", () => {
    const reported: unknown[] = [];
    vi.stubGlobal("reportError", (error: unknown) => reported.push(error));
    const bug = new Error("a bug in the app");
    createPlatform().reportError(bug);
    expect(reported).toEqual([bug]);
  });

  test("takes the fetch of the moment, so that one installed later counts", async () => {
    const { fetch } = createPlatform();
    const answer = new Response("later");
    vi.stubGlobal("fetch", () => Promise.resolve(answer));
    const { signal } = new AbortController();
    expect(await fetch("http://server", { method: "GET", headers: {}, signal })).toBe(answer);
  });
});
