/** The imports that each package may have besides Node and itself: the dependency graph is the architecture. */
export const allowedImports: Readonly<Record<string, readonly string[]>> = {
  base: [],
  protocol: ["@turnwire/base", "zod"],
  log: ["@turnwire/base", "@turnwire/protocol", "esbuild", "libsql", "pg", "zod"],
  policy: ["@turnwire/base", "unbash", "zod"],
  wire: ["@turnwire/base", "@turnwire/log", "@turnwire/protocol", "@turnwire/runtime", "zod"],
  "wire-kit": ["@turnwire/base", "@turnwire/protocol", "@turnwire/wire", "zod"],
  "wire-relay": [
    "@turnwire/base",
    "@turnwire/log",
    "@turnwire/protocol",
    "@turnwire/runtime",
    "@turnwire/wire",
  ],
  "wire-webkit": ["@turnwire/base", "@turnwire/protocol", "@turnwire/wire", "zod"],
  runtime: ["@turnwire/base", "@turnwire/log", "@turnwire/policy", "@turnwire/protocol", "zod"],
  "runtime-claude": [
    "@turnwire/base",
    "@turnwire/log",
    "@turnwire/protocol",
    "@turnwire/runtime",
    "zod",
  ],
  "runtime-codex": ["@turnwire/base", "@turnwire/protocol", "@turnwire/runtime", "ws", "zod"],
  workspace: ["@turnwire/base", "@turnwire/log", "@turnwire/protocol", "@turnwire/runtime", "zod"],
  server: [
    "@turnwire/base",
    "@turnwire/log",
    "@turnwire/policy",
    "@turnwire/protocol",
    "@turnwire/runtime",
    "@turnwire/wire",
    "@turnwire/workspace",
    "@cfworker/json-schema",
    "@hono/node-server",
    "@opentelemetry/api",
    "hono",
    "prom-client",
    "ws",
    "zod",
  ],
  client: ["@turnwire/base", "@turnwire/protocol"],
  markdown: ["@turnwire/base", "character-entities-html4", "highlight.js", "lowlight"],
  react: [
    "@turnwire/base",
    "@turnwire/client",
    "@turnwire/markdown",
    "@turnwire/protocol",
    "react",
  ],
  svelte: [
    "@turnwire/base",
    "@turnwire/client",
    "@turnwire/markdown",
    "@turnwire/protocol",
    "svelte",
  ],
  web: [
    "@turnwire/base",
    "@turnwire/client",
    "@turnwire/markdown",
    "@turnwire/protocol",
    "@turnwire/react",
    "@tanstack/react-virtual",
    "anser",
    "diff",
    "react",
    "react-dom",
  ],
  cli: [
    "@turnwire/base",
    "@turnwire/client",
    "@turnwire/log",
    "@turnwire/markdown",
    "@turnwire/policy",
    "@turnwire/protocol",
    "@turnwire/runtime",
    "@turnwire/runtime-claude",
    "@turnwire/runtime-codex",
    "@turnwire/server",
    "@turnwire/wire-kit",
    "@turnwire/wire-relay",
    "@turnwire/wire-webkit",
    "@turnwire/workspace",
    "jiti",
    "picocolors",
    "pino",
    "string-width",
    "wrap-ansi",
    "zod",
  ],
  conformance: [
    "@turnwire/base",
    "@turnwire/client",
    "@turnwire/log",
    "@turnwire/protocol",
    "@turnwire/runtime",
    "@turnwire/server",
    "@turnwire/wire",
    "fast-check",
    "vitest",
    "zod",
  ],
};

/** Agent SDKs are dependencies of the package of their own runtime, and known nowhere else. */
export const agentSdks: Readonly<Record<string, string>> = {
  "@anthropic-ai/claude-agent-sdk": "packages/runtime-claude/src/",
};

/** Packages that run in a browser: nothing of Node in them. */
export const browserSafe: ReadonlySet<string> = new Set([
  "base",
  "protocol",
  "client",
  "markdown",
  "react",
  "svelte",
  "web",
]);

/** Entries for a few files only, by the entry: where it may be imported beside its own package. */
export const restrictedEntries: Readonly<Record<string, readonly string[]>> = {
  // A log that can be written: for the recorder, and for what loads and owns a session's log.
  "@turnwire/log/event-log": [
    "packages/server/src/2-session/record/recorder.ts",
    "packages/server/src/3-host/read-only/read-only-session.ts",
    "packages/server/src/3-host/creation/session-loader.ts",
    "packages/server/src/3-host/creation/session-seed.ts",
    "packages/server/src/2-session/session-settings.ts",
  ],
};

/** The one file of the server that appends to a log. */
export const recorder = "packages/server/src/2-session/record/recorder.ts";
