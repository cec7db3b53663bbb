import { createMemoryStore } from "@turnwire/log";
import { describeTwoServersAtOnce } from "./test-support/two-servers-at-once.ts";
import { describeTwoServers, type OpenShared } from "./test-support/two-servers.ts";

const openShared: OpenShared = async () => {
  const store = createMemoryStore({ isShared: true });
  return { open: async () => store };
};

describeTwoServers("memory store", openShared);
describeTwoServersAtOnce("memory store", openShared);
