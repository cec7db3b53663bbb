import { fileURLToPath } from "node:url";
import { build, preview } from "vite";
import { type AgentServer, startAgentServer } from "./agent-server.ts";
import { proxyTo } from "./proxy.ts";

export interface BuiltPage {
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** The page as it would be published, with agents behind it, which are closed with it: by default the demo agent. */
export async function openBuiltPage(outDir: string, server?: AgentServer): Promise<BuiltPage> {
  const root = fileURLToPath(new URL(".", import.meta.url));
  const quiet = { root, build: { outDir, emptyOutDir: true }, logLevel: "silent" } as const;
  await build(quiet);
  const agents = server ?? (await startAgentServer());
  const page = await preview({ ...quiet, preview: { port: 0, proxy: proxyTo(agents) } });
  const [url] = page.resolvedUrls?.local ?? [];
  if (url === undefined) throw new Error("Vite did not say where the page is");
  return {
    url,
    close: async () => {
      await page.close();
      await agents.close();
    },
  };
}
