import { hydrate, unmount } from "svelte";
import { expect, inject, onTestFinished, test } from "vitest";
import type { LiveSession } from "./live-session.svelte.ts";
import { demoClient } from "./test-support/demo-client.ts";
import Page from "./test-support/Page.svelte";
import { until } from "./test-support/until.svelte.ts";

test("a page that a server rendered is taken over as it is, and continues from there", async () => {
  const { sessionId, snapshot, html } = inject("rendered");
  const target = document.body.appendChild(document.createElement("main"));
  target.innerHTML = html;
  const items = [...target.querySelectorAll("li")];
  expect(items.map((item) => item.textContent?.trim())).toContain("/thinking");

  const found: LiveSession[] = [];
  const page = hydrate(Page, {
    target,
    props: {
      client: demoClient(),
      sessionId,
      snapshot,
      onsession: (session) => found.push(session),
    },
  });
  onTestFinished(async () => {
    await unmount(page);
    target.remove();
  });
  const taken = (): number[] =>
    [...target.querySelectorAll("li")].map((item) => items.indexOf(item));
  expect(taken()).toEqual([0, 1]);
  const [session] = found;
  if (!session) throw new Error("the page did not say which session it shows");
  await until(() => session.connection.status === "live");
  session.send("/thinking");
  await until(() => session.messages.length === 4 && !session.isRunning);
  expect(taken()).toEqual([0, 1, -1, -1]);
});
