import { createClient } from "@turnwire/client";
import { draft, type AgentMessage, type Block } from "@turnwire/protocol";
import type { ReactNode } from "react";
import { describe, expect, test } from "vitest";
import {
  useMessages,
  useRequest,
  useRequests,
  type RequestBlock,
  type SessionRequest,
} from "./index.ts";
import { fireEvent } from "./test-support/dom.ts";
import { eventually, openPage, type Page } from "./test-support/page.tsx";
import { fetchLog, logOf, ready } from "./test-support/scripted-log.ts";
import { startServer } from "./test-support/server.ts";

function answer(request: SessionRequest): void {
  switch (request.type) {
    case "permission":
      request.respond({ behavior: "allow", updated_input: { command: "npm run lint" } });
      break;
    case "question":
      request.respond({ answers: { "Where shall the data live?": "SQLite" } });
      break;
    case "hook":
      request.respond({ decision: { decision: "block", reason: "Not on Sundays" } });
      break;
    case "interrupt":
      request.respond({ value: { approved: true } });
      break;
    case "tool_call":
      request.respond({ output: "teal" });
      break;
    case "budget":
      request.respond({ decision: "raise", budget: null });
      break;
  }
}

function Requests(): ReactNode {
  return useRequests().map((request) => (
    <button key={request.id} onClick={() => answer(request)}>
      {request.type} {request.progress.status}
    </button>
  ));
}

function isRequest(block: Block): block is RequestBlock {
  return ["permission", "question", "hook", "interrupt", "tool_call"].includes(block.type);
}

function Asked({ block }: { readonly block: RequestBlock }): ReactNode {
  const { type, progress } = useRequest(block);
  return (
    <p>
      block: {type} {progress.status} {progress.outcome ?? "open"}
    </p>
  );
}

function Blocks(): ReactNode {
  return useMessages()
    .filter((message): message is AgentMessage => message.role === "agent")
    .flatMap(({ blocks }) => blocks.filter(isRequest))
    .map((block) => <Asked key={block.key} block={block} />);
}

function Text(): ReactNode {
  return <pre>{JSON.stringify(useMessages())}</pre>;
}

async function say({ client, sessionId }: Page, message: string): Promise<void> {
  await client.sessions.message(sessionId, { message });
}

const kinds = [
  { ask: "/permission", type: "permission", heard: "npm run lint" },
  { ask: "/question", type: "question", heard: "**SQLite**" },
  { ask: "/hook", type: "hook", heard: "Not on Sundays" },
  { ask: "/interrupt", type: "interrupt", heard: "Approved: I would deploy now." },
  { ask: "/frontend-tool", type: "tool_call", heard: "Good choice." },
];

describe.each(kinds)("a request of type $type", ({ ask, type, heard }) => {
  test("is shown while it waits, answered by its own words, and gone", async () => {
    const page = await openPage(
      <>
        <Requests />
        <Blocks />
        <Text />
      </>,
    );
    await say(page, ask);
    const button = await eventually(() => page.getByText(`${type} requested`));
    expect(page.getByText(`block: ${type} requested open`)).toBeTruthy();
    fireEvent.click(button);
    await eventually(() => page.getByText(`block: ${type} resolved answered`));
    expect(page.queryByRole("button") === null).toBe(true);
    await eventually(() => expect(page.container.textContent).toContain(heard));
  });
});

describe("an answer", () => {
  test("is shown as on its way before the server has it", async () => {
    const seen: string[] = [];
    function Watch(): ReactNode {
      for (const { progress } of useRequests()) seen.push(progress.status);
      return null;
    }
    const page = await openPage(
      <>
        <Watch />
        <Requests />
      </>,
    );
    await say(page, "/permission");
    fireEvent.click(await eventually(() => page.getByText("permission requested")));
    await eventually(() => expect(page.queryByRole("button") === null).toBe(true));
    expect([...new Set(seen)]).toEqual(["requested", "responding"]);
  });

  test("that comes second is reported as a conflict, and is not an error of the page", async () => {
    const gate = { open: () => {} };
    const opened = new Promise<void>((resolve) => (gate.open = resolve));
    const first = await openPage(<Requests />);
    const second = await openPage(
      <>
        <Requests />
        <Blocks />
      </>,
      {
        server: first.server,
        sessionId: first.sessionId,
        client: first.server.createClient({
          fetch: async (url, init) => {
            if (init.method === "POST") await opened;
            return fetch(url, init);
          },
        }),
      },
    );
    await say(first, "/permission");
    fireEvent.click(await eventually(() => second.getByText("permission requested")));
    fireEvent.click(await eventually(() => first.getByText("permission requested")));
    await eventually(() => second.getByText("block: permission resolved answered"));
    gate.open();
    expect(
      await eventually(() => second.getByText("block: permission conflict answered")),
    ).toBeTruthy();
  });

  test("that does not reach the server leaves the request open, with what went wrong", async () => {
    function Errors(): ReactNode {
      return useRequests().map(({ id, progress }) => (
        <p key={id}>error: {progress.error?.code ?? "none"}</p>
      ));
    }
    const server = await startServer();
    const client = server.createClient({
      fetch: async (url, init) => {
        if (url.endsWith("/commands")) throw new TypeError("The connection is cut");
        return fetch(url, init);
      },
    });
    const page = await openPage(
      <>
        <Requests />
        <Errors />
      </>,
      { server, client },
    );
    await say(page, "/question");
    fireEvent.click(await eventually(() => page.getByText("question requested")));
    await eventually(() => page.getByText("error: network"));
    expect(page.getByText("question requested")).toBeTruthy();
  });
});

test("a request that did not change is the same object while others come and go", async () => {
  const seen = new Map<string, Set<SessionRequest>>();
  function Watch(): ReactNode {
    const requests = useRequests();
    for (const request of requests) {
      seen.set(request.id, (seen.get(request.id) ?? new Set()).add(request));
    }
    return <p>open: {requests.map(({ id }) => id).join(", ")}</p>;
  }
  const ask = (correlation_id: string) =>
    draft("hook_request", { correlation_id, hook_event: "Stop", hook_input: null });
  const resolved = draft("hook_resolved", { correlation_id: "second", outcome: "cancelled" });
  const begin = [ready, ask("first")];
  const log = logOf([...begin, ask("second"), resolved, ask("third")]);
  const client = createClient({ url: "http://log.test", fetch: fetchLog(log, begin.length) });
  const page = await openPage(<Watch />, { client, sessionId: "scripted" });
  await eventually(() => page.getByText("open: first, third"));
  expect(seen.get("first")?.size).toBe(1);
});
