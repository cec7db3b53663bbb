import { mount, unmount } from "svelte";
import { expect, onTestFinished, test } from "vitest";
import type { LiveSessionList } from "./live-session-list.svelte.ts";
import { demoClient } from "./test-support/demo-client.ts";
import ListPage from "./test-support/ListPage.svelte";
import { until } from "./test-support/until.svelte.ts";

test("a list of sessions is live: what comes, changes and goes is seen", async () => {
  const client = demoClient();
  const created = await client.sessions.create({ title: "Before" });
  let opened: LiveSessionList | undefined;
  const element = document.body.appendChild(document.createElement("main"));
  const page = mount(ListPage, {
    target: element,
    props: { client, onlist: (state) => (opened = state) },
  });
  onTestFinished(() => unmount(page));
  if (!opened) throw new Error("the page did not say which list it shows");
  const list = opened;
  expect(list.status).toBe("loading");

  const titles = (): (string | undefined)[] => list.sessions.map(({ title }) => title);
  await until(() => list.status === "live" && titles().includes("Before"));
  await client.sessions.update(created.session_id, { title: "After" });
  await until(() => titles().includes("After"));
  expect(element.textContent).toContain("After");
  await client.sessions.delete(created.session_id);
  await until(() => !titles().includes("After"));

  await list.loadMore();
  list.refresh();
  await until(() => list.status === "live");
  expect(list.hasMore).toBe(false);
});
