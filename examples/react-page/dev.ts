import { fileURLToPath } from "node:url";
import { createServer } from "vite";
import { startAgentServer } from "./agent-server.ts";
import { proxyTo } from "./proxy.ts";

const { TURNWIRE_URL: url, TURNWIRE_TOKEN: token } = process.env;
const agents = url && token ? { url, token } : await startAgentServer();
const page = await createServer({
  root: fileURLToPath(new URL(".", import.meta.url)),
  server: { proxy: proxyTo(agents) },
});
await page.listen();
page.printUrls();
