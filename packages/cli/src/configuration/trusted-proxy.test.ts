import type { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { describe, expect, test } from "vitest";
import { CliError } from "../error/cli-error.ts";
import { clientAddressFrom } from "./trusted-proxy.ts";

function request(remoteAddress: string, ...forwarded: readonly string[]): IncomingMessage {
  const socket = Object.defineProperty(new Socket(), "remoteAddress", { value: remoteAddress });
  const headersDistinct = forwarded.length > 0 ? { "x-forwarded-for": [...forwarded] } : {};
  return { socket, headersDistinct } as Pick<
    IncomingMessage,
    "socket" | "headersDistinct"
  > as IncomingMessage;
}

describe("the address of a client", () => {
  test("is the connection's, unless a proxy is trusted", () => {
    expect(clientAddressFrom([])).toBeUndefined();
    const address = clientAddressFrom(["10.0.0.5"]);
    expect(address?.(request("192.0.2.7", "203.0.113.9"))).toBe("192.0.2.7");
    expect(address?.(request("10.0.0.5"))).toBe("10.0.0.5");
  });

  test.each([
    ["what the proxy saw", "10.0.0.5", ["203.0.113.9"], "203.0.113.9"],
    ["not what the client wrote before it", "10.0.0.5", ["1.1.1.1, 203.0.113.9"], "203.0.113.9"],
    ["also in headers of its own", "10.0.0.5", ["1.1.1.1", "203.0.113.9"], "203.0.113.9"],
    ["behind two proxies", "10.0.0.5", ["203.0.113.9, 10.1.2.3"], "203.0.113.9"],
    ["on a socket for both families", "::ffff:10.0.0.5", ["::ffff:203.0.113.9"], "203.0.113.9"],
    ["in IPv6", "fd00::1", ["2001:db8::7"], "2001:db8::7"],
    ["the proxy itself where it names no client", "10.0.0.5", ["unknown"], "10.0.0.5"],
    ["the last proxy where all are trusted", "10.0.0.5", ["10.1.2.3"], "10.1.2.3"],
  ])("behind a trusted proxy is %s", (_what, remote, forwarded, expected) => {
    const address = clientAddressFrom(["10.0.0.5", "10.1.0.0/16", "fd00::/8"]);
    expect(address?.(request(remote, ...forwarded))).toBe(expected);
  });

  test.each(["proxy.local", "10.0.0.0/33", "10.0.0.0/8/8", "10.0.0.0/", "", "fd00::/129"])(
    "a proxy cannot be %j",
    (given) => {
      expect(() => clientAddressFrom([given])).toThrow(CliError);
    },
  );
});
