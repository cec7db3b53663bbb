import { expect, test } from "vitest";
import { HostList } from "./host-list.ts";

test("the address that a connection reached passes with the port that it is served on, and with no other", () => {
  const hosts = new HostList([]);
  const local = { localAddress: "192.0.2.7", localPort: 4747 };
  expect(hosts.allows("192.0.2.7:4747", local)).toBe(true);
  expect(hosts.allows("192.0.2.7:4748", local)).toBe(false);
  expect(hosts.allows("192.0.2.8:4747", local)).toBe(false);
  expect(hosts.allows("192.0.2.7", local)).toBe(false);
  expect(hosts.allows("192.0.2.7", { ...local, localPort: 80 })).toBe(true);
  expect(hosts.allows("192.0.2.7:4747", { ...local, localAddress: "::ffff:192.0.2.7" })).toBe(true);
  const local6 = { localAddress: "2001:db8::7", localPort: 4747 };
  expect(hosts.allows("[2001:DB8::7]:4747", local6)).toBe(true);
  expect(hosts.allows("[2001:db8::8]:4747", local6)).toBe(false);
});
