import { detach } from "@turnwire/base";
import { SessionHost } from "./session-host.ts";
import type { SessionHostOptions } from "./creation/session-host-options.ts";

/** Opens a host and, behind the scenes, settles what an earlier process left. */
export function createSessionHost(options: SessionHostOptions): SessionHost {
  const host = new SessionHost(options);
  detach(host.recover(), (error) => host.report(error));
  return host;
}
