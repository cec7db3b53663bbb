import type { Page } from "playwright-core";

/** One picture of the app: what is on screen, and how it comes about. */
export interface Scene {
  readonly name: string;
  readonly viewport?: { readonly width: number; readonly height: number };
  readonly isDark?: boolean;
  /** The first start of a new user: no agent is connected, and there is no project. */
  readonly isFirstStart?: boolean;
  /** The title of the session to open; the first page without one. */
  readonly title?: string;
  /** What is said there before the picture is taken, each after the turn before has ended. */
  readonly says?: readonly string[];
  /** Brings the page into the state to show. */
  readonly prepare: (page: Page) => Promise<void>;
}

async function turnEnded(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Send", exact: true }).waitFor();
}

async function requestShown(page: Page): Promise<void> {
  await page.locator('[data-request][data-open="true"]').waitFor();
}

/** Opens folds by the text in their summary. */
async function unfold(page: Page, text: string): Promise<void> {
  await page.getByRole("log").getByText(text).last().click();
}

const phone = { width: 390, height: 844 };

/** The main states of the app. */
export const scenes: readonly Scene[] = [
  {
    name: "first-start",
    isFirstStart: true,
    prepare: async (page) => {
      await page.getByRole("heading", { name: /^Connect an agent/ }).waitFor();
    },
  },
  {
    name: "project-picker",
    isFirstStart: true,
    prepare: async (page) => {
      await page.getByRole("button", { name: /^Project/ }).click();
      await page.getByRole("option", { name: "code" }).click();
      await page.getByRole("option", { name: /^website/ }).waitFor();
    },
  },
  {
    name: "new-session",
    prepare: async (page) => {
      await page.getByRole("link", { name: "New session in website" }).click();
      await page
        .getByRole("textbox", { name: "First message" })
        .fill("Find out why the login test fails now and then, and fix it.");
      await page.getByText(/^This folder’s/).waitFor();
      await page.getByRole("combobox", { name: "Model" }).waitFor();
    },
  },
  {
    name: "trust",
    prepare: async (page) => {
      await page.getByRole("link", { name: "New session in website" }).click();
      await page.getByRole("button", { name: "Trust this folder…" }).click();
      await page.getByRole("dialog").getByText("Can run commands or permit them").waitFor();
    },
  },
  {
    name: "conversation",
    title: "Fix the flaky login test",
    says: ["Run the tools: do all tests pass?", "Show me the diff."],
    prepare: async (page) => {
      await turnEnded(page);
      await unfold(page, "exit 1");
      await page.getByRole("log").press("End");
    },
  },
  {
    name: "permission",
    title: "Greet people by their name",
    says: ["Give permission to edit the greeting."],
    prepare: requestShown,
  },
  {
    name: "question",
    title: "Plan the export page",
    says: ["Show me the questions you have."],
    prepare: async (page) => {
      await requestShown(page);
      await page.getByRole("radio", { name: /^SQLite/ }).check();
      await page.getByRole("checkbox", { name: /^Search/ }).check();
    },
  },
  {
    name: "surfaces",
    title: "Speed up the test suite",
    says: ["Show me the usage so far.", "Show the canvas: which tests are slow?"],
    prepare: turnEnded,
  },
  {
    name: "subagents",
    isDark: true,
    title: "Review the last change",
    says: ["Run the subagents on the last change."],
    prepare: async (page) => {
      await turnEnded(page);
      await unfold(page, "explorer");
      await unfold(page, "reviewer");
    },
  },
  {
    name: "phone",
    viewport: phone,
    title: "Deploy the website",
    says: ["Run the permission check first."],
    prepare: requestShown,
  },
  {
    name: "dark",
    isDark: true,
    title: "Write the release notes",
    says: ["Show me some markdown."],
    prepare: turnEnded,
  },
];
