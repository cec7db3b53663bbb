import { createClient } from "@turnwire/client";
import { draft, textOf } from "@turnwire/protocol";
import type { ReactNode } from "react";
import { expect, test } from "vitest";
import { useMessage, useMessageIds } from "./index.ts";
import { eventually, openPage } from "./test-support/page.tsx";
import { fetchLog, logOf, ready, turnOf } from "./test-support/scripted-log.ts";

function Message({ id }: { readonly id: string }): ReactNode {
  const message = useMessage(id);
  return <li>{message ? textOf(message) : "gone"}</li>;
}

test("a message that was rolled back is gone, and its place is not taken for it", async () => {
  const seen = new Set<string>();
  function List(): ReactNode {
    const ids = useMessageIds();
    for (const id of ids) seen.add(id);
    return [...seen].map((id) => <Message key={id} id={id} />);
  }
  const history = [ready, ...turnOf("t1", ["one"]), ...turnOf("t2", ["two"])];
  const back = draft("rolled_back", { turn_id: "t2" });
  const log = logOf([...history, back, ...turnOf("t3", ["three"])]);
  const client = createClient({ url: "http://log.test", fetch: fetchLog(log, history.length) });
  const page = await openPage(<List />, { client, sessionId: "scripted" });
  await eventually(() => page.getByText("three"));
  const items = Array.from(page.container.querySelectorAll("li"), (item) => item.textContent);
  expect(items).toEqual(["Well?", "one", "gone", "gone", "Well?", "three"]);
});
