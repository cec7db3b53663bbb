import { defineConfig } from "vitest/config";

const conditions = ["@turnwire/source", "module", "node", "import", "default"];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ["{packages,apps}/*/src/**/*.test.{ts,tsx}", "test/**/*.test.ts"],
    reporters: ["default", "./test/closing-line-reporter.ts"],
    setupFiles: process.env["TURNWIRE_SOAK"] === "1" ? ["./test/support/soak.ts"] : [],
    testTimeout: process.env["TURNWIRE_SOAK"] === "1" ? 600_000 : 60_000,
    hookTimeout: 60_000,
    sequence: { shuffle: true },
  },
});
