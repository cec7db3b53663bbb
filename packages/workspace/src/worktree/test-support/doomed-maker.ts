/** Run as a process of its own: a host that creates a session with a worktree until the process is killed. */
import { join } from "node:path";
import { openSqliteStore } from "@turnwire/log";
import { demo } from "@turnwire/runtime/demo";
import { openProcessRegistry } from "@turnwire/runtime/process";
import { createSessionHost } from "../../../../server/src/3-host/create-session-host.ts";

const [dataDirectory = "", repository = "", setup = ""] = process.argv.slice(2);
const host = createSessionHost({
  store: await openSqliteStore({ path: join(dataDirectory, "turnwire.db") }),
  runtimes: [demo({ delayMs: 0 })],
  roots: [repository],
  worktrees: {
    directory: join(dataDirectory, "worktrees"),
    registry: await openProcessRegistry({ dataDirectory }),
    setup,
  },
});
await host.create({ cwd: repository, worktree: true }, { id: "admin", isAdmin: true });
