import { DemoSteps } from "@turnwire/conformance";
import { createDemoRuntime, createMemoryStore } from "@turnwire/server";
import { draft } from "@turnwire/protocol";
import { expect, test } from "vitest";
import { expectAccessible } from "../../test-support/accessibility.ts";
import { startAppServer } from "../../test-support/app-server.ts";
import {
  agentMessage,
  conversation,
  expectVisible,
  messageField,
  openApp,
  openSession,
  ownMessage,
  say,
} from "../../test-support/browser.ts";
import { recordSession } from "../../test-support/recorded-session.ts";

/** A turn that continues until it is stopped, word by word. */
function steppedServer(steps: DemoSteps) {
  return startAppServer({ runtimes: [createDemoRuntime({ pace: steps })] });
}

test("what is finished is left alone while more is written", async () => {
  const steps = new DemoSteps();
  const server = await steppedServer(steps);
  const { page } = await openSession(server);
  steps.run();
  await say(page, "/markdown");
  await expectVisible(page.getByRole("button", { name: "Copy the answer" }));
  const begun = steps.next(40);
  await say(page, "/long 5000");
  await begun;
  await expectVisible(conversation(page).getByText(/Paragraph 1 of/));
  const changes = conversation(page).evaluate(changesOfFirstAnswer);
  await steps.next(400);
  await expectVisible(conversation(page).getByText(/Paragraph 12 of/));
  await page.getByRole("button", { name: /stop/i }).click();
  await expectVisible(conversation(page).getByText("Stopped"));
  expect(await changes).toBe(0);
});

/** Until the turn has been stopped: how often anything in the first answer was changed. */
function changesOfFirstAnswer(list: Element): Promise<number> {
  const answer = list.querySelector("article[aria-label=Agent]");
  let count = 0;
  const observer = new MutationObserver((records) => {
    count += records.length;
  });
  const everything = { attributes: true, characterData: true, childList: true, subtree: true };
  if (answer) observer.observe(answer, everything);
  return new Promise((resolve) => {
    const end = new MutationObserver(() => {
      if (!list.querySelector("footer")?.parentElement || !/Stopped/.test(list.textContent)) return;
      end.disconnect();
      observer.disconnect();
      resolve(count);
    });
    end.observe(list, everything);
  });
}

test("a page that is opened in mid-stream ends with the same picture as one that saw it all", async () => {
  const steps = new DemoSteps();
  const server = await steppedServer(steps);
  const live = await openSession(server);
  await say(live.page, "/markdown");
  await say(live.page, "/tools");
  await steps.next(20);
  await expectVisible(conversation(live.page).getByText("What markdown can do"));
  const late = await live.openTab();
  await late.page.goto(live.page.url());
  await live.page.reload();
  for (const { page } of [live, late]) {
    await expectVisible(conversation(page).getByText("What markdown can do"));
  }
  steps.run();
  for (const { page } of [live, late]) {
    await expectVisible(conversation(page).getByText("Both tests pass now."));
    await expect.poll(() => conversation(page).locator("footer button").count()).toBe(4);
  }
  const pictures = await Promise.all(
    [live, late].map(({ page }) => conversation(page).evaluate((list) => list.textContent)),
  );
  const fresh = await live.openTab();
  await fresh.page.goto(live.page.url());
  await expectVisible(conversation(fresh.page).getByText("Both tests pass now."));
  const picture = await conversation(fresh.page).evaluate((list) => list.textContent);
  expect(pictures).toEqual([picture, picture]);
});

test("a fork continues from the answer it was made at", async () => {
  const server = await startAppServer();
  const { page, sessionId } = await openSession(server);
  await say(page, "First words");
  await expectVisible(page.getByRole("button", { name: "Fork from here" }));
  await say(page, "Second words");
  await expect.poll(() => page.getByRole("button", { name: "Fork from here" }).count()).toBe(2);
  await page.getByRole("button", { name: "Fork from here" }).first().click();
  await page.waitForURL((url) => !url.pathname.endsWith(sessionId));
  await expectVisible(ownMessage(page, "First words"));
  await expect.poll(() => ownMessage(page, "Second words").count()).toBe(0);
});

test("a message can be rolled back with all after it, once that is confirmed", async () => {
  const server = await startAppServer();
  const { page } = await openSession(server);
  for (const words of ["First words", "Second words"]) {
    await say(page, words);
    await expectVisible(ownMessage(page, words));
    await expect.poll(() => page.getByRole("button", { name: "Send" }).count()).toBe(1);
  }
  await expect.poll(() => page.getByRole("button", { name: "Copy the answer" }).count()).toBe(2);
  const rollBack = page.getByRole("button", { name: "Roll back to before this message" }).last();
  await ownMessage(page, "Second words").hover();
  await rollBack.click();
  await page.getByRole("button", { name: "Cancel" }).click();
  await expectVisible(ownMessage(page, "Second words"));
  await rollBack.click();
  await page.getByRole("button", { name: "Roll back", exact: true }).click();
  await ownMessage(page, "Second words").waitFor({ state: "detached" });
  await expectVisible(ownMessage(page, "First words"));
});

test("the question whether to roll back stays while a turn runs, and can be answered after it", async () => {
  const server = await startAppServer();
  const { page, sessionId } = await openSession(server);
  await say(page, "Regretted");
  await expect.poll(() => page.getByRole("button", { name: "Copy the answer" }).count()).toBe(1);
  await ownMessage(page, "Regretted").hover();
  await page.getByRole("button", { name: "Roll back to before this message" }).click();
  const dialog = page.getByRole("dialog", { name: "Roll back the conversation?" });
  const answer = dialog.getByRole("button", { name: "Roll back", exact: true });
  await expectVisible(answer);
  await server.client.sessions.message(sessionId, { message: "/permission" });
  await expectVisible(dialog.getByText("You can roll back once the agent is done."));
  expect(await answer.isDisabled()).toBe(true);
  await server.client.sessions.stop(sessionId);
  await answer.click();
  await ownMessage(page, "Regretted").waitFor({ state: "detached" });
});

test("a message that was rolled back is in the field again with its files, to be changed and sent", async () => {
  const server = await startAppServer();
  const { page, sessionId } = await openSession(server);
  await page.locator("input[type=file]").setInputFiles({
    name: "notes.txt",
    mimeType: "text/plain",
    buffer: Buffer.from("some notes"),
  });
  await expectVisible(page.getByRole("list", { name: "Attachments" }));
  await say(page, "Second thoughts");
  await expect.poll(() => page.getByRole("button", { name: "Copy the answer" }).count()).toBe(1);
  await messageField(page).fill("and this");
  await ownMessage(page, "Second thoughts").hover();
  await page.getByRole("button", { name: "Roll back to before this message" }).click();
  const dialog = page.getByRole("dialog", { name: "Roll back the conversation?" });
  await dialog.getByRole("checkbox", { name: /restore the files/ }).check();
  await expectAccessible(page);
  const asked = page.waitForRequest((request) => request.url().endsWith("/rollback"));
  await dialog.getByRole("button", { name: "Roll back", exact: true }).click();
  expect((await asked).postDataJSON()).toMatchObject({ files: true });
  await expect.poll(() => messageField(page).inputValue()).toBe("Second thoughts\nand this");
  await expectVisible(page.getByRole("list", { name: "Attachments" }).getByText("notes.txt"));
  await expect
    .poll(() => messageField(page).evaluate((field) => field.matches(":focus")))
    .toBe(true);
  await say(page, "Better words");
  await expectVisible(agentMessage(page).getByText(/Better words/));
  const { state } = await server.client.sessions.snapshot(sessionId);
  expect(state.messages.filter(({ role }) => role === "user")).toHaveLength(1);
});

test("answers are copied as they were written", async () => {
  const server = await startAppServer();
  const { page } = await openSession(server, {
    permissions: ["clipboard-read", "clipboard-write"],
  });
  await say(page, "/mcp");
  await page.getByRole("button", { name: "Copy the answer" }).click();
  await expectVisible(page.getByRole("button", { name: "Copied" }));
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
    "I will continue with `files` alone.",
  );
});

test.each(["light", "dark"] as const)(
  "every kind of block is accessible in the %s theme, open and closed",
  async (colorScheme) => {
    const server = await startAppServer();
    const { page } = await openSession(server, { colorScheme });
    for (const name of ["thinking", "tools", "read", "diff", "plan", "subagents", "mcp", "error"]) {
      await say(page, `/${name}`);
    }
    await expectVisible(conversation(page).getByText(/The model is overloaded/));
    await expectAccessible(page);
    const closed = conversation(page).locator("button[aria-expanded=false]");
    for (let count = 0; count < 8 && (await closed.count()) > 0; count += 1)
      await closed.last().click();
    await expectAccessible(page);
  },
);

test("an answer is read out once, when it is whole", async () => {
  const steps = new DemoSteps();
  const server = await steppedServer(steps);
  const { page } = await openSession(server);
  const region = page.locator("#main [aria-live=polite]:not([role])");
  const texts = await region.evaluateHandle((element) => {
    const texts: string[] = [];
    const options = { characterData: true, childList: true, subtree: true };
    new MutationObserver(() => texts.push(element.textContent)).observe(element, options);
    return texts;
  });
  await say(page, "/thinking");
  await steps.next(40);
  await expectVisible(conversation(page).getByText("The dependencies are"));
  expect(await texts.evaluate((all) => all)).toEqual([]);
  steps.run();
  await expectVisible(page.getByRole("button", { name: "Copy the answer" }));
  await expect.poll(() => texts.evaluate((all) => all.length)).toBeGreaterThan(0);
  expect(await texts.evaluate((all) => [...new Set(all)])).toEqual([
    "The dependencies are older than the lock file: run `npm install` once.",
  ]);
  expect(await conversation(page).getAttribute("aria-live")).toBe("off");
});

test("what a person attached is shown, with its room kept", async () => {
  const png =
    "iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAIAAAASFvFNAAAAEElEQVR4nGP4z8AARAwQCgAf7gP9i18U1AAAAABJRU5ErkJggg==";
  const store = createMemoryStore();
  const source = { type: "base64", media_type: "image/png", data: png } as const;
  const paper = { type: "base64", media_type: "text/plain", data: btoa("words") } as const;
  const sessionId = await recordSession(store, [
    draft("user_message", {
      message_id: "m",
      delivery: "turn",
      content: [
        { type: "text", text: "Look at this" },
        { type: "image", source },
        { type: "document", title: "notes.txt", source: paper },
      ],
    }),
  ]);
  const server = await startAppServer({ store });
  const { page } = await openApp(server);
  await page.goto(`${server.url}/s/${sessionId}`);
  await expectVisible(ownMessage(page, "notes.txt"));
  const image = page.getByRole("img", { name: "Attached image" });
  expect(await image.getAttribute("width")).toBe("3");
  expect(await image.getAttribute("height")).toBe("2");
});
