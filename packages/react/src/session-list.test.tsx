import { StrictMode, type ReactNode } from "react";
import { describe, expect, onTestFinished, test } from "vitest";
import { TurnwireProvider, useSessions } from "./index.ts";
import { fireEvent, render } from "./test-support/dom.ts";
import { eventually } from "./test-support/page.tsx";
import { startServer } from "./test-support/server.ts";

function List({ limit = 50 }: { readonly limit?: number }): ReactNode {
  const { sessions, status, hasMore, error, loadMore, refresh } = useSessions({ limit });
  return (
    <>
      <p>
        {status}: {sessions.map(({ title }) => title).join(", ")}
        {hasMore && " and more"}
        {error && ` (${error.code})`}
      </p>
      <button onClick={() => void loadMore()}>More</button>
      <button onClick={refresh}>Refresh</button>
    </>
  );
}

async function openList(content: ReactNode) {
  const server = await startServer();
  const client = server.createClient();
  const page = render(
    <StrictMode>
      <TurnwireProvider client={client}>{content}</TurnwireProvider>
    </StrictMode>,
  );
  onTestFinished(() => page.unmount());
  return { ...page, server, client };
}

describe("a list of sessions", () => {
  test("is there, and follows what comes, changes and goes", async () => {
    const page = await openList(<List />);
    await eventually(() => page.getByText("live:"));
    const { session_id } = await page.client.sessions.create({ title: "One" });
    await eventually(() => page.getByText("live: One"));
    await page.client.sessions.update(session_id, { title: "First" });
    await eventually(() => page.getByText("live: First"));
    await page.client.sessions.delete(session_id);
    expect(await eventually(() => page.getByText("live:"))).toBeTruthy();
  });

  test("is loaded page by page", async () => {
    const server = await startServer();
    const client = server.createClient();
    for (const title of ["c", "b", "a"]) await client.sessions.create({ title });
    const page = render(
      <TurnwireProvider client={client}>
        <List limit={2} />
      </TurnwireProvider>,
    );
    onTestFinished(() => page.unmount());
    await eventually(() => page.getByText("live: a, b and more"));
    fireEvent.click(page.getByText("More"));
    expect(await eventually(() => page.getByText("live: a, b, c"))).toBeTruthy();
    const { session_id } = await client.sessions.create({ title: "new" });
    fireEvent.click(page.getByText("Refresh"));
    expect(await eventually(() => page.getByText(/^live: new, a, b, c/))).toBeTruthy();
    await client.sessions.delete(session_id);
  });

  test("is followed over one connection by all that ask the same, and let go with the last", async () => {
    const page = await openList(
      <>
        <List />
        <List />
      </>,
    );
    await eventually(() => expect(page.getAllByText("live:")).toHaveLength(2));
    await eventually(async () => expect(await page.server.subscribers()).toBe(1));
    page.unmount();
    await eventually(async () => expect(await page.server.subscribers()).toBe(0));
  });
});
