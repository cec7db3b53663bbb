import { createMemoryStore } from "@turnwire/log";
import { describeTwoRelays } from "./test-support/two-relays.ts";

describeTwoRelays("memory store", async () => {
  const store = createMemoryStore({ isShared: true });
  return { open: async () => store };
});
