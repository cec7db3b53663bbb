import type { IncomingMessage } from "node:http";
import { BlockList, isIP } from "node:net";
import { invalidValue } from "../option/option.ts";

const EXPECTED = "an address like 10.0.0.5, or a network like 10.0.0.0/24";

/** What IPv4 looks like on a socket that takes both. */
function plain(address: string): string {
  return address.trim().replace(/^::ffff:(?=\d+\.)/i, "");
}

function familyOf(address: string): "ipv4" | "ipv6" {
  return isIP(address) === 6 ? "ipv6" : "ipv4";
}

function networksFrom(given: readonly string[]): BlockList {
  const list = new BlockList();
  for (const entry of given) {
    const [address = "", bits, ...more] = entry.split("/");
    const maxBits = isIP(address) === 6 ? 128 : 32;
    const isGood = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= maxBits);
    if (isIP(address) === 0 || !isGood || more.length > 0) {
      throw invalidValue("--trusted-proxy", entry, EXPECTED);
    }
    if (bits === undefined) list.addAddress(address, familyOf(address));
    else list.addSubnet(address, Number(bits), familyOf(address));
  }
  return list;
}

/**
 * The address of whoever sent a request: that of the connection or, where that is a trusted proxy, the
 * last one in X-Forwarded-For that is none. What a client writes there itself comes before it.
 */
export function clientAddressFrom(
  trustedProxies: readonly string[],
): ((incoming: IncomingMessage) => string) | undefined {
  if (trustedProxies.length === 0) return undefined;
  const networks = networksFrom(trustedProxies);
  const isTrusted = (address: string): boolean =>
    isIP(address) !== 0 && networks.check(address, familyOf(address));
  return ({ socket, headersDistinct }) => {
    let address = plain(socket.remoteAddress ?? "");
    const hops = (headersDistinct["x-forwarded-for"] ?? []).join(",").split(",").map(plain);
    while (isTrusted(address)) {
      const hop = hops.pop();
      if (hop === undefined || isIP(hop) === 0) break;
      address = hop;
    }
    return address;
  };
}
