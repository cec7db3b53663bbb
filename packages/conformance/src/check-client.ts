#!/usr/bin/env node
import { reportChecks } from "./check-program.ts";
import { clientChecks } from "./client-checks.ts";
import { startDemoServer } from "./demo-server.ts";

const [command, ...args] = process.argv.slice(2);
if (command === undefined) {
  console.error("Usage: turnwire-check-client COMMAND [ARGUMENT…]");
  process.exit(2);
}
const server = await startDemoServer();
try {
  await reportChecks(clientChecks, { client: { command, args }, server });
} finally {
  await server.close();
}
