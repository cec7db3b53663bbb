// A small MCP server over stdio for the recordings: one tool that reads, one that changes, one that asks.
import { createInterface } from "node:readline";

const schema = { type: "object", properties: { text: { type: "string" } } };
const tools = [
  {
    name: "echo",
    description: "Says it again",
    inputSchema: schema,
    annotations: { readOnlyHint: true },
  },
  {
    name: "change",
    description: "Changes something",
    inputSchema: schema,
    annotations: { destructiveHint: true },
  },
  {
    name: "pick",
    description: "Asks for a colour",
    inputSchema: schema,
    annotations: { readOnlyHint: true },
  },
];
const elicitation = {
  message: "Pick a colour",
  requestedSchema: {
    type: "object",
    properties: { colour: { type: "string" } },
    required: ["colour"],
  },
};
let asking;

for await (const line of createInterface({ input: process.stdin })) answer(JSON.parse(line));

function answer({ id, method, params, result }) {
  if (method === "initialize") {
    const { protocolVersion } = params;
    return send({
      id,
      result: {
        protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: "lab", version: "1" },
      },
    });
  }
  if (method === "tools/list") return send({ id, result: { tools } });
  if (method === "tools/call") return callTool(id, params);
  if (method === undefined && id === "ask")
    return finish(asking, `picked: ${JSON.stringify(result)}`);
  if (id !== undefined && method !== undefined) send({ id, result: {} });
}

function callTool(id, { name, arguments: input }) {
  if (name !== "pick") return finish(id, `${name}: ${input?.text ?? "nothing"}`);
  asking = id;
  send({ id: "ask", method: "elicitation/create", params: elicitation });
}

function finish(id, text) {
  send({ id, result: { content: [{ type: "text", text }] } });
}

function send(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
}
