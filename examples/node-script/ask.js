// Asks an agent something, prints its answer as it comes, and asks you before it does anything.
import { createInterface } from "node:readline/promises";
import { createClient } from "@turnwire/client";

const { TURNWIRE_URL: url = "http://127.0.0.1:4747", TURNWIRE_TOKEN: token } = process.env;
const question = process.argv.slice(2).join(" ") || "Hello! What can you do?";
const terminal = createInterface({ input: process.stdin, output: process.stderr });
const client = createClient({ url, token });

const { session_id } = await client.sessions.create({ title: question });
const session = client.openSession(session_id);
const { seq } = await session.send(question);
for await (const { type, data } of client.events(session_id, { after: seq })) {
  if (type === "delta") process.stdout.write(data.text);
  if (type === "permission_request") {
    const answer = await terminal.question(`\nMay it use ${data.tool_name}? (y/n) `);
    const behavior = answer === "y" ? "allow" : "deny";
    await session.respondToPermission(data.correlation_id, { behavior });
  }
  if (type === "done") break;
}
session.close();
terminal.close();
