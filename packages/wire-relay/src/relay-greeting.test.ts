import { describe, expect, test } from "vitest";
import { createMemoryStore } from "@turnwire/log";
import { SessionHost } from "../../server/src/3-host/session-host.ts";
import { greetingText, hostIdOf, type PortAnswer, relayFrom } from "./relay-greeting.ts";

function answer(parts: Partial<PortAnswer>): PortAnswer {
  return { status: 200, greeting: undefined, body: "", ...parts };
}

describe("what answers on a port", () => {
  test("is a relay of Turnwire's by its greeting, our own by its sessions", () => {
    const greeting = greetingText({
      needsToken: true,
      hostId: "ours",
      webUrl: "http://127.0.0.1:4747",
    });
    const info = { program: "turnwire", needs_token: true, web_url: "http://127.0.0.1:4747" };
    expect(relayFrom(answer({ greeting }), "ours")).toEqual({ ...info, is_own: true });
    expect(relayFrom(answer({ greeting }), "other")).toEqual({ ...info, is_own: false });
    const open = greetingText({ needsToken: false, hostId: "other" });
    expect(relayFrom(answer({ greeting: open }), "ours")).toEqual({
      program: "turnwire",
      needs_token: false,
      is_own: false,
    });
  });

  test("is agents-ui's or loop's relay by what they answer, and neither needs a token", () => {
    const open = { needs_token: false, is_own: false };
    const upgrade = answer({ status: 426, body: "WebSocket upgrade required" });
    expect(relayFrom(upgrade, "ours")).toEqual({ program: "agents-ui", ...open });
    expect(relayFrom(answer({ body: "loop" }), "ours")).toEqual({ program: "loop", ...open });
  });

  test.each([
    { status: 200, body: "<title>my app</title>" },
    { status: 404, body: "loop" },
    { status: 426, body: "" },
    { status: 200, body: "loopback" },
  ])("is not a relay otherwise: $status $body", (parts) => {
    expect(relayFrom(answer(parts), "ours")).toBeUndefined();
  });

  test.each([
    "javascript:alert(1)",
    "https://example.com",
    "http://127.0.0.1:4747@example.com/",
    "http://localhost.example.com",
    "http://127.0.0.1:4747/?next=//example.com",
  ])("gives no link that leaves this machine: %s", (webUrl) => {
    const greeting = greetingText({ needsToken: false, hostId: "x", webUrl });
    expect(relayFrom(answer({ greeting }), "ours")).not.toHaveProperty("web_url");
  });

  test("needs a token unless it clearly says that it does not", () => {
    expect(relayFrom(answer({ greeting: "" }), "ours")).toMatchObject({ needs_token: true });
    expect(relayFrom(answer({ greeting: "%%%" }), "")).toMatchObject({ is_own: false });
  });

  test("has one id for each host", async () => {
    const create = () => new SessionHost({ store: createMemoryStore(), runtimes: [], roots: [] });
    const [one, other] = [create(), create()];
    expect(hostIdOf(one)).toBe(hostIdOf(one));
    expect(hostIdOf(one)).not.toBe(hostIdOf(other));
    await Promise.all([one.close(), other.close()]);
  });
});
