import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";

/**
 * Without `import` and `default`, which hold for every import anyway: here they would hold for `require` too.
 * Without `module`: such builds are for bundlers, and that of OpenTelemetry is no module for Node.
 */
const conditions = ["@turnwire/source", "node"];
const isSoak = process.env["TURNWIRE_SOAK"] === "1";

/** After so long a test is taken to hang. Generous: a machine with ten times its load in work is no fault of a test. */
const limits = {
  unit: 90_000,
  postgres: 90_000,
  system: 120_000,
  agents: 120_000,
  browser: 120_000,
} as const;

/** The lanes run one after the other, each on all cores. */
const order = { unit: 0, postgres: 1, system: 2, agents: 3, browser: 4 } as const;

type Lane = keyof typeof limits;

function lane(name: Lane, test: TestProjectInlineConfiguration["test"]) {
  const limitMs = isSoak ? 600_000 : limits[name];
  return {
    extends: true as const,
    test: {
      name,
      testTimeout: limitMs,
      hookTimeout: limitMs,
      expect: { poll: { timeout: limitMs / 2 } },
      sequence: { groupOrder: order[name] },
      ...test,
    },
  };
}

/** Tests of the other lanes. */
const others = ["**/node_modules/**", "**/*.{postgres,system,agent,browser}.test.{ts,tsx}"];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    reporters: ["default", "./test/closing-line-reporter.ts"],
    setupFiles: ["./test/support/properties.ts"],
    sequence: { shuffle: true, ...(isSoak ? {} : { seed: 20_261_116 }) },
    exclude: ["**/node_modules/**", "**/dist/**"],
    maxWorkers: "100%",
    projects: [
      lane("unit", {
        include: ["{packages,apps}/*/src/**/*.test.ts", "{examples,tools,test}/**/*.test.ts"],
        exclude: [...others, "packages/{react,svelte}/**"],
        // Files share what they import: most of them take less time than it takes to load it.
        isolate: false,
      }),
      // Each test of React has a page of its own.
      lane("unit", {
        name: "unit-react",
        include: ["packages/react/src/**/*.test.{ts,tsx}"],
        exclude: others,
      }),
      {
        ...lane("unit", {
          name: "unit-svelte",
          include: ["packages/svelte/src/**/*.test.ts"],
          exclude: others,
          environment: "happy-dom",
          globalSetup: ["packages/svelte/src/test-support/demo-server.ts"],
          server: { deps: { inline: [/svelte/] } },
        }),
        // Svelte is compiled for a browser, and its own browser half must be taken with it.
        plugins: [svelte({ configFile: false })],
        resolve: { conditions: ["browser", ...conditions] },
        // Its global setup runs in this environment, which takes no conditions from the others.
        environments: { __vitest__: { resolve: { conditions } } },
      },
      lane("postgres", {
        include: ["**/*.postgres.test.{ts,tsx}"],
        globalSetup: ["./test/support/postgres.ts"],
      }),
      lane("system", {
        include: ["**/*.system.test.{ts,tsx}"],
        globalSetup: ["./test/support/runtimes.ts"],
      }),
      lane("agents", {
        include: ["**/*.agent.test.{ts,tsx}"],
        globalSetup: ["./test/support/dialling-cli.ts"],
      }),
      lane("browser", {
        include: ["**/*.browser.test.{ts,tsx}"],
        globalSetup: ["./test/support/chromium.ts"],
        runner: "./test/support/browser-runner.ts",
      }),
    ],
  },
});
