// An MCP server over stdio with a tool that says hello and two that ask a person. The first reports a digest of
// the secret in its environment: a test can tell that the secret arrived, and the log does not have it.
import { createHash } from "node:crypto";
import { createInterface } from "node:readline";

const inputSchema = { type: "object", properties: {} };
const annotations = { readOnlyHint: true };
const tools = [
  { name: "greet", description: "Says hello", inputSchema, annotations },
  { name: "pick", description: "Asks for a colour", inputSchema, annotations },
  { name: "login", description: "Asks to log in", inputSchema, annotations },
];
const elicitations = {
  pick: {
    message: "Pick a colour",
    requestedSchema: {
      type: "object",
      properties: { colour: { type: "string", enum: ["red", "blue"] } },
      required: ["colour"],
    },
  },
  login: {
    mode: "url",
    message: "Log in to the lab.",
    url: "https://lab.example/login",
    elicitationId: "login-1",
  },
};
/** The calls that wait for a person, by the id of our question. */
const asking = new Map();

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params, result, error } = JSON.parse(line);
  if (id === undefined) continue;
  if (method === undefined) finish(asking.get(id), `answer: ${JSON.stringify(result ?? error)}`);
  else if (method === "tools/call" && params.name in elicitations) ask(id, params.name);
  else send({ id, result: resultOf(method, params) });
}

function ask(call, name) {
  const id = `ask-${call}`;
  asking.set(id, call);
  send({ id, method: "elicitation/create", params: elicitations[name] });
}

function finish(call, text) {
  send({ id: call, result: { content: [{ type: "text", text }] } });
}

function send(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
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
      return { tools };
    case "tools/call": {
      const secret = process.env.LAB_SECRET ?? "";
      const digest = createHash("sha256").update(secret).digest("hex").slice(0, 12);
      return { content: [{ type: "text", text: `hello, ${digest}` }] };
    }
    default:
      return {};
  }
}
