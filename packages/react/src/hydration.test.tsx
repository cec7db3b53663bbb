import { textOf } from "@turnwire/protocol";
import type { ReactNode } from "react";
import { renderToString } from "react-dom/server";
import { expect, onTestFinished, test } from "vitest";
import { SessionProvider, TurnwireProvider, useConnection, useMessages } from "./index.ts";
import { render } from "./test-support/dom.ts";
import { eventually } from "./test-support/page.tsx";
import { startServer } from "./test-support/server.ts";

function Conversation(): ReactNode {
  return (
    <>
      <p>{`line: ${useConnection().status}`}</p>
      {useMessages().map((message) => (
        <p key={message.id}>{`${message.role}: ${textOf(message)}`}</p>
      ))}
    </>
  );
}

test("a page that a server rendered is taken over as it is, and continues from its snapshot", async () => {
  const server = await startServer();
  const client = server.createClient();
  const { session_id } = await client.sessions.create();
  const session = client.openSession(session_id);
  await session.send("/thinking");
  await session.waitFor(
    ({ session: { turn, messages } }) => turn === null && messages.length === 2,
  );
  session.close();
  const snapshot = await client.sessions.snapshot(session_id);
  const page = (
    <TurnwireProvider client={client}>
      <SessionProvider sessionId={session_id} snapshot={snapshot}>
        <Conversation />
      </SessionProvider>
    </TurnwireProvider>
  );
  const container = document.createElement("div");
  document.body.append(container);
  container.innerHTML = renderToString(page);
  const [, question] = container.querySelectorAll("p");
  const errors: unknown[] = [];
  const live = render(page, {
    container,
    hydrate: true,
    onRecoverableError: (error) => errors.push(error),
  });
  onTestFinished(() => live.unmount());
  await eventually(() => live.getByText("line: live"));
  await client.sessions.message(session_id, { message: "more" });
  await eventually(() => live.getByText("user: more"));
  expect(errors).toEqual([]);
  expect(live.getByText("user: /thinking")).toBe(question);
});
