/** A test, or code for tests. */
export interface TestText {
  /** From the repository's root, with slashes. */
  readonly path: string;
  readonly text: string;
}

/** As long as the runner lets a test run (vitest.config.ts): a shorter limit is one that a busy machine can reach. */
const runnerLimitMs = 240_000;

/** Where time itself is the subject, or a wait is for something that gives no event. */
const allowed: Readonly<Record<string, string>> = {
  "apps/web/src/test-support/built-app.ts": "polls for the build of another worker",
  "apps/web/src/test-support/screenshot.ts": "takes pictures, and is not a test",
  "packages/base/src/clock.test.ts": "tests the system clock",
  "packages/conformance/src/client-contract/client-program.ts":
    "a check of other people's programs, which must end",
  "packages/conformance/src/store-contract/fixture.ts": "polls a store that has a clock of its own",
  "packages/policy/src/test-support/fuzz/recording-sandbox.ts":
    "ends random scripts that never end; what they do later is not looked at",
  "packages/runtime-claude/src/test-support/recordings/interjection.ts":
    "a command that a real agent was recorded with",
  "packages/runtime/src/demo/stage/pace.test.ts": "tests the pace, on a clock of its own",
  "test/hosts/": "faults come at random moments, and clients come back after a while",
  "test/support/reading-stage.ts": "a turn that outlasts every test, in a process that is killed",
  "test/support/waiting.ts": "reports what a test waits for",
  "test/waiting-rule.test.ts": "has an example of each",
};

/** Each with what is to be done instead. */
const rules: readonly (readonly [RegExp, string])[] = [
  [
    // Without options it has a delay, too.
    /\{\s*delayMs:\s*[1-9]|\bdemo\((?:\)|[^)]*delayMs:\s*[1-9])|\bdelay_ms:\s*[1-9]/,
    "step the demo agent by DemoSteps, not by a delay",
  ],
  [
    // A platform that passes its timers on waits for nothing, nor does a task without a delay.
    /\bsetTimeout\((?!callback, delayMs\)|resolve\))|\bsetTimeout\b[^;]*from "node:timers\/promises"|\bsystemClock\.wait\(/,
    "wait for an event, not for time to pass",
  ],
  [/\bwaitForTimeout\(/, "wait for an event, not for time to pass"],
  [/\bvi\.wait(?:For|Until)\(/, "use expect.poll, which waits as long as the runner does"],
  [/\bAbortSignal\.timeout\(/, "let the runner end what hangs"],
];

/** Limits of tests, polls and pages; `timeout: 5` in the input of a tool is none. */
const limits: readonly RegExp[] = [
  /\btimeout:\s*([\d_]{4,})\b/g,
  /\btimeout = ([\d_]+);/g,
  /\b(?:asyncUtilTimeout|testTimeout|hookTimeout):\s*([\d_]+)/g,
  /\bsetDefault(?:Navigation)?Timeout\(\s*([\d_]+)/g,
  // The last argument of a test or a hook.
  /^\s*\},\s*([\d_]+),?\s*\);?$/gm,
];

const layout = /\b(?:boundingBox|getBoundingClientRect|scrollTop|scrollHeight|topOf|restOf)\b/;

/** Layout that is compared exactly while the agent speaks freely: between two steps it stands still. */
function movesLayout(text: string): boolean {
  return text.split(/^\s*test(?:\.each|\()/m).some((body) => {
    const live = body.split(/\bsteps\.run\(\)/).slice(1);
    return live
      .map((part) => part.split(/\bsteps\.next\(|\.waitFor\(|expectVisible\(/)[0] ?? "")
      .some((part) => part.split("\n").some((line) => layout.test(line) && /\.toBe\(/.test(line)));
  });
}

/** Faults in a text, with the fix of each. */
function adviceOn(text: string): string[] {
  const found = rules.filter(([pattern]) => pattern.test(text)).map(([, advice]) => advice);
  const isShort = limits.some((pattern) =>
    Array.from(text.matchAll(pattern)).some(
      ([, ms = ""]) => Number(ms.replaceAll("_", "")) < runnerLimitMs,
    ),
  );
  if (isShort) found.push("set no limit below the runner's");
  if (movesLayout(text)) found.push("compare layout between two steps");
  return [...new Set(found)];
}

/** Why a test, or code for tests, depends on the machine's speed; empty where it does not. */
export function speedFaults({ path, text }: TestText): string[] {
  if (Object.keys(allowed).some((place) => path.startsWith(place))) return [];
  return adviceOn(text).map((advice) => `${path}: ${advice}`);
}

/** Places in the table that need no exception any more. */
export function unusedExceptions(files: readonly TestText[]): string[] {
  return Object.keys(allowed).filter(
    (place) => !files.some(({ path, text }) => path.startsWith(place) && adviceOn(text).length > 0),
  );
}
