import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

const conditions = ["@turnwire/source", "module", "node", "import", "default"];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    reporters: ["default", "./test/closing-line-reporter.ts"],
    globalSetup: ["./test/support/chromium.ts"],
    setupFiles: process.env["TURNWIRE_SOAK"] === "1" ? ["./test/support/soak.ts"] : [],
    testTimeout: process.env["TURNWIRE_SOAK"] === "1" ? 600_000 : 60_000,
    hookTimeout: 60_000,
    sequence: { shuffle: true },
    projects: [
      {
        extends: true,
        test: {
          name: "turnwire",
          include: [
            "{packages,apps}/*/src/**/*.test.{ts,tsx}",
            "{examples,tools}/**/*.test.ts",
            "test/**/*.test.ts",
          ],
          exclude: ["**/node_modules/**", "packages/svelte/**"],
        },
      },
      {
        extends: true,
        // Svelte is compiled for a browser, and its own browser half must be taken with it.
        plugins: [svelte({ configFile: false })],
        resolve: { conditions: ["browser", ...conditions] },
        test: {
          name: "svelte",
          include: ["packages/svelte/src/**/*.test.ts"],
          environment: "happy-dom",
          globalSetup: ["packages/svelte/src/test-support/demo-server.ts"],
          server: { deps: { inline: [/svelte/] } },
        },
      },
    ],
  },
});
