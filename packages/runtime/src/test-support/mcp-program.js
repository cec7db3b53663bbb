// An MCP server over stdio with one tool. It reports a digest of the secret in its environment: a test
// can tell that the secret arrived, and the log does not have it.
import { createHash } from "node:crypto";
import { createInterface } from "node:readline";

const tool = {
  name: "greet",
  description: "Says hello",
  inputSchema: { type: "object", properties: {} },
  annotations: { readOnlyHint: true },
};

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined || method === undefined) continue;
  const answer = { jsonrpc: "2.0", id, result: resultOf(method, params) };
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}

function resultOf(method, params) {
  switch (method) {
    case "initialize":
      return {
        protocolVersion: params.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: "lab", version: "1" },
      };
    case "tools/list":
      return { tools: [tool] };
    case "tools/call": {
      const secret = process.env.LAB_SECRET ?? "";
      const digest = createHash("sha256").update(secret).digest("hex").slice(0, 12);
      return { content: [{ type: "text", text: `hello, ${digest}` }] };
    }
    default:
      return {};
  }
}
