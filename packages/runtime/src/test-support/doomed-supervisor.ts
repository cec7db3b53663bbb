/** Run as a process of its own: supervises one agent until it is killed itself. */
import { spawnAgentProcess } from "../process/agent-process.ts";
import { openProcessRegistry } from "../process/process-registry.ts";
import { psProcessTable, systemProcessTable } from "../process/process-table.ts";

const [dataDirectory = "", script = "", tableName] = process.argv.slice(2);
const table = tableName === "ps" ? psProcessTable : systemProcessTable();
const agent = await spawnAgentProcess({
  command: process.execPath,
  args: ["-e", script],
  cwd: process.cwd(),
  env: { PATH: process.env.PATH ?? "" },
  sessionId: "s1",
  registry: await openProcessRegistry({ dataDirectory, table }),
  table,
});
console.log(agent.pid);
for await (const line of agent.lines) if (line.type === "line") console.log(line.text);
