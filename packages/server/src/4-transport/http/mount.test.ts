import { describe, expect, test } from "vitest";
import { lacksSlash, mountPathFrom, urlUnder } from "./mount.ts";

describe("a mount path", () => {
  test.each([
    [undefined, ""],
    ["", ""],
    ["/", ""],
    ["/agents", "/agents"],
    ["/agents/", "/agents"],
    ["/api/v1/agents", "/api/v1/agents"],
  ])("%j is %j", (given, path) => {
    expect(mountPathFrom(given)).toBe(path);
  });

  test.each(["agents", "/a b", "/a?b", "//a", "/a//b", "/a#b", "/%2e", "http://x/a"])(
    "%j is none",
    (given) => {
      expect(() => mountPathFrom(given)).toThrow(/mountPath must be a path/);
    },
  );

  test.each([
    ["/agents", { url: "/agents/sessions?limit=1" }, "/sessions?limit=1"],
    ["/agents", { url: "/agents" }, "/"],
    ["/agents", { url: "/agents?x=1" }, "/?x=1"],
    ["/agents", { url: "/agentsandmore" }, undefined],
    ["/agents", { url: "/sessions/A", originalUrl: "/AGENTS/sessions/A" }, "/sessions/A"],
    ["/agents", { url: "/other" }, undefined],
    ["/agents", { url: "/sessions", originalUrl: "/agents/sessions" }, "/sessions"],
    ["/api/agents", { url: "/agents/ws", originalUrl: "/api/agents/ws" }, "/ws"],
    ["/sessions", { url: "/sessions/a", originalUrl: "/sessions/sessions/a" }, "/sessions/a"],
    ["", { url: "/sessions", originalUrl: "/agents/sessions" }, "/sessions"],
  ])("%j with %j leaves %j", (mountPath, request, url) => {
    expect(urlUnder(mountPath, request)).toBe(url);
  });

  test("lacks its slash only where nothing follows", () => {
    expect(lacksSlash("/agents", { url: "/agents?x" })).toBe(true);
    expect(lacksSlash("/agents", { url: "/", originalUrl: "/agents" })).toBe(true);
    expect(lacksSlash("/agents", { url: "/", originalUrl: "/AGENTS" })).toBe(true);
    expect(lacksSlash("/agents", { url: "/agents/" })).toBe(false);
    expect(lacksSlash("", { url: "/" })).toBe(false);
  });
});
