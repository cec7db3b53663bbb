import { createMemoryStore } from "@turnwire/server";
import { expect, test } from "vitest";
import { markdownAttacks } from "../../../../../packages/markdown/src/test-support/attack.ts";
import { startAppServer } from "../../test-support/app-server.ts";
import { conversation, expectVisible, openApp, scrollByHand } from "../../test-support/browser.ts";
import { recordSession, says, turn, uses } from "../../test-support/recorded-session.ts";

const inertElements =
  "div,p,h1,h2,h3,h4,h5,h6,span,pre,code,blockquote,ul,ol,li,input[type=checkbox],table,thead,tbody,tr,th,td,hr,br,em,strong,del,a,img,button,svg,path,article,footer,section,time";

/** In the page: elements of the list that could do something, or lead astray. */
function dangers(list: Element, allowed: string): string[] {
  return [...list.querySelectorAll("*")]
    .filter((element) => {
      const isOdd = !element.matches(allowed);
      const acts = element.getAttributeNames().some((name) => name.startsWith("on"));
      const href = element.getAttribute("href");
      const src = element.getAttribute("src");
      const leads = href !== null && !/^(?:https?:\/\/|mailto:)/.test(href);
      const loads = src !== null && !/^data:image\/(?:png|jpeg|gif|webp)/.test(src);
      return isOdd || acts || leads || loads;
    })
    .map((element) => element.outerHTML.slice(0, 200));
}

test("nothing that an agent says or a tool prints can act in the page", async () => {
  const store = createMemoryStore();
  const sessionId = await recordSession(
    store,
    markdownAttacks.flatMap(({ text }, index) =>
      turn(`t${index}`, [
        says(text, `m${index}`),
        ...uses({
          id: `u${index}`,
          tool: text,
          start: { command: text, input: { command: text } },
          result: { output: text },
        }),
      ]),
    ),
  );
  const server = await startAppServer({ store });
  // A tall page shows many of them at once.
  const { page } = await openApp(server, { viewport: { width: 1280, height: 6000 } });
  const requests: string[] = [];
  page.on("request", (request) => {
    if (!request.url().startsWith(server.url) && !request.url().startsWith("data:")) {
      requests.push(request.url());
    }
  });
  page.on("dialog", (dialog) => {
    requests.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  await page.goto(`${server.url}/s/${sessionId}`);
  const log = conversation(page);
  await expectVisible(log.getByRole("article").last());
  const screens = await log.evaluate((list) => Math.ceil(list.scrollHeight / list.clientHeight));
  for (let screen = 0; screen <= 2 * screens; screen += 1) {
    expect(await log.evaluate(dangers, inertElements)).toEqual([]);
    await scrollByHand(page, -0.8 * (await log.evaluate((list) => list.clientHeight)));
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
    if ((await log.evaluate((list) => list.scrollTop)) === 0) break;
  }
  expect(requests).toEqual([]);
  expect(new URL(page.url()).origin).toBe(server.url);
});
