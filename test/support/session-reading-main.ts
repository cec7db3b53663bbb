/** Reads a session as the last argument says, and prints what it read. For runtimes with a command line. */
import { readSession } from "./session-reading.ts";

console.log(JSON.stringify(await readSession(JSON.parse(process.argv.at(-1) ?? "{}"))));
