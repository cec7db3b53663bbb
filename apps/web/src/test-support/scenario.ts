import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { startAppServer } from "./app-server.ts";
import { conversation, expectVisible, openSession, say } from "./browser.ts";

type Shows = (page: Page, log: Locator) => Promise<void>;

/** Sees a text in the conversation. */
function text(words: string | RegExp): Shows {
  return (_page, log) => expectVisible(log.getByText(words).last());
}

/** Opens the line with that name, then sees a text. */
function opened(name: RegExp, words: string | RegExp): Shows {
  return async (_page, log) => {
    await log.getByRole("button", { name }).last().click();
    await expectVisible(log.getByText(words).last());
  };
}

/** What each scenario must show; what waits for a person is answered in the tests of requests. */
export const scenarioShows: Readonly<Record<string, readonly Shows[]>> = {
  markdown: [
    (_page, log) => expectVisible(log.getByRole("heading", { name: "What markdown can do" })),
    (_page, log) => expectVisible(log.getByRole("cell", { name: "src/greet.ts" })),
    (_page, log) => expectVisible(log.locator(".tw-md-token-keyword", { hasText: "export" })),
  ],
  thinking: [opened(/^Thought/, /The lock file is newer/), text(/older than the lock file/)],
  tools: [
    text("npm test · exit 1"),
    opened(/npm test · exit 1/, /1 of 2 failed/),
    text("Both tests pass now."),
  ],
  read: [
    text("2 files src/**/*.ts"),
    text('1 match "Hello"'),
    opened(/^Read src\/greet.ts/, /export/),
    text(/It is the second line/),
  ],
  permission: [text(/I would like to use Bash/), text("npm test")],
  policy: [text(/This session has no policy mode/)],
  budget: [text(/All ten steps are done/)],
  question: [text("Where shall the data live?")],
  plan: [text("3 of 3 done"), text("Make it pass"), text("All three steps are done.")],
  diff: [
    (_page, log) => expectVisible(log.getByRole("region", { name: "Changes" })),
    opened(/^Edit src\/greet.ts/, "name.trim()"),
    text(/trims the name now/),
  ],
  subagents: [
    opened(/^explorer done 1 tool call/, "It is in"),
    opened(/^reviewer done/, "Fine, apart from one blank."),
    opened(/^tester done/, "npm test"),
    opened(/^Bash npm test/, "12 passed"),
    text(/Both are back/),
  ],
  components: [text("A table, right here:"), text(/Indexing is done/)],
  canvas: [text("The report is on the canvas.")],
  form: [text("I need a few details for the release.")],
  "plan-editor": [text(/This is how I would do it/)],
  interrupt: [text("This needs your approval.")],
  "frontend-tool": [text(/ask your user interface/)],
  state: [text("Here is a list that we share.")],
  hook: [text("rm -rf build")],
  tasks: [text(/The build runs in the background/)],
  usage: [text(/These figures are made up/), text(/ tokens$/)],
  mcp: [text(/tickets” did not answer/), text(/I will continue with/)],
  compact: [text("I have summed up what we said so far.")],
  long: [text(/Paragraph 12 of 12/)],
  slow: [text("Still at it. Stop me, or tell me something.")],
  "tool-error": [text(/docs\/missing.md · ENOENT/), text(/Tell me another/)],
  error: [text("The model is overloaded. Try again in a minute."), text(/Wait a minute/)],
  crash: [text(/crashed, as you asked/), text(/The next message starts it again/)],
  unknown: [text(/has no meaning here/)],
  huge: [
    opened(/cat big.log/, /This line is here/),
    (_page, log) => expectVisible(log.getByRole("button", { name: /^Show all \(/ })),
  ],
  flood: [text(/4999 5000/)],
};

/** The scenarios that between them show each kind of block; the long suite has the others. */
export const mainScenarios: readonly string[] = [
  "markdown",
  "tools",
  "plan",
  "diff",
  "subagents",
  "components",
  "error",
  "huge",
];

export function testScenarios(isTested: (name: string) => boolean): void {
  const shows = Object.entries(scenarioShows).filter(([name]) => isTested(name));
  test.each(shows)(
    "/%s shows what it should, and nothing goes wrong in the page",
    async (name, expected) => {
      const server = await startAppServer();
      const { page, problems } = await openSession(server);
      await say(page, `/${name}`);
      for (const show of expected) await show(page, conversation(page));
      expect(problems).toEqual([]);
    },
  );
}
