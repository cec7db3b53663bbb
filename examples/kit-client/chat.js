// Sends one message and prints the answer: node chat.js ws://127.0.0.1:4747/ws "hello" [session id]
import { WebSocket } from "ws";

const [url = "ws://127.0.0.1:4747/ws", content = "/tools", sessionId] = process.argv.slice(2);
const token = process.env.TURNWIRE_TOKEN;
const socket = new WebSocket(url, { headers: token ? { authorization: `Bearer ${token}` } : {} });
const send = (message) => socket.send(JSON.stringify(message));

socket.addEventListener("message", ({ data }) => {
  const frame = JSON.parse(data);
  switch (frame.type) {
    case "connected":
      return send({ type: "chat", content, sessionId });
    case "permission_requested":
      console.log(`allowed: ${frame.request.toolName}`);
      return send({
        type: "permissionResponse",
        requestId: frame.request.requestId,
        behavior: "allow",
      });
    case "error":
      console.error(`${frame.code}: ${frame.error}`);
      process.exitCode = 1;
      return socket.close();
    case "message_added":
      return show(frame);
  }
});
socket.on("error", ({ message }) => {
  console.error(message);
  process.exitCode = 1;
});

function show({ message, sessionId: id }) {
  if (message.type === "assistant") {
    for (const block of message.message.content) {
      if (block.type === "text") console.log(block.text);
      if (block.type === "tool_use") console.log(`[${block.name} ${JSON.stringify(block.input)}]`);
    }
  }
  if (message.type === "result") {
    console.log(`session ${id}: ${message.subtype}`);
    socket.close();
  }
}
