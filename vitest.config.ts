import { availableParallelism } from "node:os";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig, type Plugin, type TestProjectInlineConfiguration } from "vitest/config";

/**
 * Without `import` and `default`, which hold for every import anyway: here they would hold for `require` too.
 * Without `module`: such builds are for bundlers, and that of OpenTelemetry is not a module for Node.
 */
const conditions = ["@turnwire/source", "node"];
const isSoak = process.env["TURNWIRE_SOAK"] === "1";

/** Not by `--sequence`: on the command line it would take the order of the lanes away. */
const stressSeed = process.env["TURNWIRE_STRESS_SEED"]
  ? Number(process.env["TURNWIRE_STRESS_SEED"])
  : undefined;

/** A test that runs for this long hangs, however busy the machine is. */
const timeLimitMs = isSoak ? 900_000 : 240_000;

/** Lanes run one after the other. The long ones, which only `npm run test:all` runs, come last. */
const lanes = ["unit", "postgres", "system", "agents", "browser"] as const;
type Lane = (typeof lanes)[number];

/** `x.test.ts` is a unit test; the other lanes have a suffix. */
const suffixes: Record<Lane, string> = {
  unit: "",
  postgres: ".postgres",
  system: ".system",
  agents: ".agent",
  browser: ".browser",
};

const roots = "{packages,apps,examples,tools,test}";
const otherLanes = "**/*.{postgres,system,agent,browser}.test.{ts,tsx}";
const longTests = "**/*.long*.test.{ts,tsx}";
const always = ["**/node_modules/**", "**/dist/**"];

/** All but the test of where there is no page. */
const pagesOfReact = "packages/react/src/**/!(server-render).test.{ts,tsx}";

/** For lanes whose tests mostly wait for disks and other processes. */
const waitingWorkers = availableParallelism() + 1;

type TestOptions = NonNullable<TestProjectInlineConfiguration["test"]>;

function project(name: string, order: number, test: TestOptions) {
  return {
    extends: true as const,
    test: { name, sequence: { groupOrder: order }, ...test },
  };
}

/** The lane of the default suite, and the one with the tests that take long, which may need more. */
function laneProjects(lane: Lane, test: TestOptions = {}, longTest: TestOptions = test) {
  const order = lanes.indexOf(lane);
  const suffix = suffixes[lane];
  const unsuffixed = lane === "unit" ? [otherLanes, "packages/svelte/**", pagesOfReact] : [];
  return [
    project(lane, order, {
      ...test,
      include: [`${roots}/**/*${suffix}.test.{ts,tsx}`],
      exclude: [...always, ...unsuffixed, longTests],
    }),
    project(`long-${lane}`, order + lanes.length, {
      ...longTest,
      include: [`${roots}/**/*.long${suffix}.test.{ts,tsx}`],
      exclude: [...always, ...unsuffixed],
    }),
  ];
}

/** Vitest 4.1.12 reads cached modules of global setups and reporters as bytes, and crashes at the next stack trace. */
const uncachedInMainProcess: Plugin = {
  name: "turnwire:uncached-in-main-process",
  configureVitest({ experimental_defineCacheKeyGenerator: defineCacheKey }) {
    defineCacheKey(({ environment }) => (environment.name === "__vitest__" ? false : undefined));
  },
};

export default defineConfig({
  plugins: [uncachedInMainProcess],
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  // Global setups run in this environment, which takes no conditions from the others.
  environments: { __vitest__: { resolve: { conditions } } },
  test: {
    reporters: ["./test/reporter/run-reporter.ts"],
    setupFiles: ["./test/support/properties.ts", "./test/support/waiting.ts"],
    // Large files first, so that the workers of a lane end together; test:stress shuffles files, too.
    sequence: {
      shuffle: { files: stressSeed !== undefined, tests: true },
      ...(isSoak ? {} : { seed: stressSeed ?? 20_261_116 }),
    },
    maxWorkers: "100%",
    testTimeout: timeLimitMs,
    hookTimeout: timeLimitMs,
    expect: { poll: { timeout: timeLimitMs / 2 } },
    // Most files take less time than it takes to load what they import, so those of a worker share it.
    isolate: false,
    experimental: { fsModuleCache: true },
    projects: [
      ...laneProjects("unit"),
      // Its tests have one page per worker, from which each removes what it has shown.
      project("unit-react", 0, {
        include: [pagesOfReact],
        exclude: [...always, otherLanes, longTests],
      }),
      project("long-unit-react", lanes.length, {
        include: ["packages/react/src/**/*.long.test.tsx"],
        exclude: always,
      }),
      {
        ...project("unit-svelte", 0, {
          include: ["packages/svelte/src/**/*.test.ts"],
          exclude: [...always, otherLanes],
          environment: "happy-dom",
          globalSetup: ["packages/svelte/src/test-support/demo-server.ts"],
          server: { deps: { inline: [/svelte/] } },
        }),
        // Svelte is compiled for a browser, and its own browser half must be taken with it.
        plugins: [svelte({ configFile: false })],
        resolve: { conditions: ["browser", ...conditions] },
      },
      ...laneProjects(
        "postgres",
        { maxWorkers: waitingWorkers, globalSetup: ["./test/support/postgres.ts"] },
        { globalSetup: ["./test/support/postgres.ts", "./test/support/nginx.ts"] },
      ),
      ...laneProjects(
        "system",
        { maxWorkers: waitingWorkers, globalSetup: ["./test/support/recorded-bash.ts"] },
        {
          globalSetup: [
            "./test/support/recorded-bash.ts",
            "./test/support/runtimes.ts",
            "./test/support/nginx.ts",
          ],
        },
      ),
      ...laneProjects(
        "agents",
        { globalSetup: ["./test/support/bubblewrap.ts"] },
        { globalSetup: ["./test/support/bubblewrap.ts", "./test/support/dialling-cli.ts"] },
      ),
      ...laneProjects("browser", {
        globalSetup: ["./test/support/chromium.ts"],
        runner: "./test/support/browser-runner.ts",
      }),
    ],
  },
});
