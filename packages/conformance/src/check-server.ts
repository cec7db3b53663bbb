#!/usr/bin/env node
import { reportChecks } from "./check-program.ts";
import { serverChecks } from "./server-checks.ts";

const [url] = process.argv.slice(2);
const token = process.env["TURNWIRE_TOKEN"];
if (url === undefined || token === undefined) {
  console.error("Usage: TURNWIRE_TOKEN=… turnwire-check-server URL");
  process.exit(2);
}
await reportChecks(serverChecks, { url, token });
