/** Run as a process of its own: supervises one agent until it is killed itself. */
import { spawnAgentProcess } from "../agent-process.ts";
import { openProcessRegistry } from "../process-registry.ts";

const [dataDirectory = "", script = ""] = process.argv.slice(2);
const agent = await spawnAgentProcess({
  command: process.execPath,
  args: ["-e", script],
  cwd: process.cwd(),
  env: { PATH: process.env.PATH ?? "" },
  sessionId: "s1",
  registry: await openProcessRegistry({ dataDirectory }),
});
console.log(agent.pid);
for await (const line of agent.lines) if (line.type === "line") console.log(line.text);
