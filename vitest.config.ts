import { defineConfig } from "vitest/config";

const conditions = ["@turnwire/source", "module", "node", "import", "default"];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ["packages/*/src/**/*.test.ts", "test/**/*.test.ts"],
    reporters: ["default", "./test/closing-line-reporter.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    sequence: { shuffle: true },
  },
});
