import { createClient } from "@turnwire/client";
import {
  draft,
  type AgentMessage,
  type ComponentBlock,
  type InterruptBlock,
} from "@turnwire/protocol";
import { useState, type ReactNode } from "react";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import {
  ComponentView,
  createRegistry,
  Surface,
  useMessages,
  useSurface,
  type ComponentFailure,
  type ComponentProps,
} from "./index.ts";
import { fireEvent } from "./test-support/dom.ts";
import { eventually, openPage, type Page } from "./test-support/page.tsx";
import { fetchLog, logOf, ready, turnOf } from "./test-support/scripted-log.ts";

const TableProps = z.object({ title: z.string(), rows: z.array(z.array(z.json())) });

function Table({ props, callback }: ComponentProps<z.infer<typeof TableProps>>): ReactNode {
  const [reported, setReported] = useState("");
  const refresh = async (): Promise<void> => {
    const { seq } = await callback("refresh", { title: props.title });
    setReported(`reported at ${seq}`);
  };
  return (
    <section>
      table: {props.title}, {props.rows.length} rows {reported}
      <button onClick={() => void refresh()}>Refresh</button>
    </section>
  );
}

function Approval({ props, respond, progress, value }: ComponentProps): ReactNode {
  return (
    <section>
      approve {JSON.stringify(props["action"])}? {progress?.status} {JSON.stringify(value)}
      {respond && <button onClick={() => respond({ choice: "approve" })}>Approve</button>}
    </section>
  );
}

function Broken(): ReactNode {
  throw new Error("I always fail");
}

const table = { component: Table, surfaces: ["chat" as const], parse: TableProps };

function Chat(): ReactNode {
  return useMessages()
    .filter((message): message is AgentMessage => message.role === "agent")
    .flatMap(({ blocks }) => blocks)
    .filter(
      (block): block is ComponentBlock | InterruptBlock =>
        block.type === "component" || block.type === "interrupt",
    )
    .map((block) => <ComponentView key={block.key} block={block} />);
}

async function say({ client, sessionId }: Page, message: string): Promise<void> {
  await client.sessions.message(sessionId, { message });
}

describe("a component in the chat", () => {
  test("is shown with its props parsed, and notifies the agent of what a person did", async () => {
    const page = await openPage(<Chat />, { registry: createRegistry({ table }) });
    await say(page, "/components");
    await eventually(() => page.getByText(/^table: Largest files, 2 rows/));
    fireEvent.click(page.getByText("Refresh"));
    await eventually(() => page.getByText(/reported at \d+/));
    const { events } = await page.client.sessions.eventPage(page.sessionId, { limit: 1000 });
    expect(events).toContainEqual(
      expect.objectContaining({
        type: "component_callback",
        data: expect.objectContaining({ action: "refresh", payload: { title: "Largest files" } }),
      }),
    );
  });

  test("that waits for a value gives it to the agent, and shows it from then on", async () => {
    const approval = { component: Approval, surfaces: ["chat" as const] };
    const page = await openPage(<Chat />, { registry: createRegistry({ approval }) });
    await say(page, "/interrupt");
    await eventually(() => page.getByText(/^approve "Deploy to production"\? requested/));
    fireEvent.click(page.getByText("Approve"));
    await eventually(() => page.getByText(/resolved {"choice":"approve"}/));
    expect(page.queryByText("Approve")).toBeNull();
  });
});

describe("what cannot be shown explains why and leaves the rest of the page alone", () => {
  const strict = { ...table, parse: z.object({ title: z.number(), rows: z.array(z.json()) }) };
  const refusing = {
    ...table,
    parse: (): z.infer<typeof TableProps> => {
      throw new Error("I take nothing");
    },
  };
  const later = { ...table, parse: z.promise(TableProps) };
  test.each([
    ["a name that is not registered", createRegistry({}), "unknown", /no such component/],
    [
      "a component on a surface it is not made for",
      createRegistry({ table: { ...table, surfaces: ["panel"] } }),
      "misplaced",
      /not made for the chat/,
    ],
    [
      "props that a schema does not take",
      createRegistry({ table: { ...strict, component: Broken } }),
      "invalid",
      /props that it cannot take: .*number/,
    ],
    [
      "props that a function does not take",
      createRegistry({ table: refusing }),
      "invalid",
      /I take nothing/,
    ],
    [
      "a schema that answers later",
      createRegistry({ table: { ...later, component: Broken } }),
      "invalid",
      /answers at once/,
    ],
    [
      "a component that throws",
      createRegistry({ table: { ...table, component: Broken } }),
      "broken",
      /“table” failed: I always fail/,
    ],
  ])("%s", async (_name, registry, problem, words) => {
    const page = await openPage(
      <>
        <p>around it</p>
        <Chat />
      </>,
      { registry },
    );
    await say(page, "/components");
    const note = await eventually(() => page.getByRole("note"));
    expect(note.textContent).toMatch(words);
    expect(note.dataset["turnwireProblem"]).toBe(problem);
    expect(page.getByText("around it")).toBeTruthy();
  });

  test("with words of the page's own where it has some", async () => {
    const fallback = ({ name, problem }: ComponentFailure): ReactNode => (
      <p>
        sorry, {name} is {problem}
      </p>
    );
    const page = await openPage(<Chat />, { fallback });
    await say(page, "/components");
    expect(await eventually(() => page.getByText("sorry, table is unknown"))).toBeTruthy();
  });
});

describe("a surface", () => {
  const chart = {
    component: ({ props, surface }: ComponentProps): ReactNode => (
      <p>
        chart on {surface}: {JSON.stringify(props["data"])}
      </p>
    ),
    surfaces: ["panel" as const],
  };

  test("shows what the agent put there and took away, and something else while it is empty", async () => {
    const seen: string[] = [];
    function Watch(): ReactNode {
      seen.push(JSON.stringify(useSurface("sidebar").map(({ props }) => props["percent"])));
      return null;
    }
    const page = await openPage(
      <>
        <Watch />
        <Surface name="sidebar" fallback={<p>nothing beside</p>} />
        <Surface name="panel" fallback={<p>nothing below</p>} />
      </>,
      { registry: createRegistry({ chart }) },
    );
    expect(page.getByText("nothing below")).toBeTruthy();
    await say(page, "/components");
    await eventually(() => page.getByText("chart on panel: [12,30,21,44]"));
    expect(page.getByText("nothing beside")).toBeTruthy();
    expect(seen.at(-1)).toBe("[]");
  });
});

test("an interrupt on another surface is there, not in the chat, and is answered there", async () => {
  const place = { turn_id: "t1" };
  const request = { interrupt_id: "i1", component_name: "approval", props: { action: "Go" } };
  const asked = draft("interrupt", { ...request, surface: "overlay" }, place);
  const log = logOf([ready, ...turnOf("t1", ["May I?"]).slice(0, -1), asked]);
  const posted: string[] = [];
  const serve = fetchLog(log, log.length);
  const client = createClient({
    url: "http://log.test",
    fetch: async (url, init) => {
      if (init.method === "POST") posted.push(init.body ?? "");
      return serve(url, init);
    },
  });
  const approval = { component: Approval, surfaces: ["overlay" as const] };
  const registry = createRegistry({ approval });
  const content = (
    <>
      <Chat />
      <Surface name="overlay" />
    </>
  );
  const page = await openPage(content, { client, sessionId: "scripted", registry });
  fireEvent.click(await eventually(() => page.getByText("Approve")));
  expect(page.getByText(/responding/)).toBeTruthy();
  await eventually(() => expect(posted).toHaveLength(1));
  expect(JSON.parse(posted[0] ?? "")).toEqual({
    type: "interrupt_response",
    interrupt_id: "i1",
    value: { choice: "approve" },
  });
});

test("a component that failed gets another chance with new props", async () => {
  const place = { turn_id: "t1" };
  const shown = { component_id: "c1", name: "fragile", surface: "panel" as const, merge: false };
  const begin = [ready, ...turnOf("t1", ["Look:"]).slice(0, -1)];
  const log = logOf([
    ...begin,
    draft("component_update", { ...shown, props: { isBroken: true } }, place),
    draft("component_update", { ...shown, props: { isBroken: false } }, place),
  ]);
  const seen: string[] = [];
  function Fragile({ props }: ComponentProps): ReactNode {
    if (props["isBroken"] === true) throw new Error("Not yet");
    return <p>all is well</p>;
  }
  const fallback = ({ problem }: ComponentFailure): ReactNode => {
    seen.push(problem);
    return null;
  };
  const client = createClient({ url: "http://log.test", fetch: fetchLog(log, begin.length + 1) });
  const registry = createRegistry({ fragile: { component: Fragile, surfaces: ["panel"] } });
  const options = { client, sessionId: "scripted", registry, fallback };
  const page = await openPage(<Surface name="panel" />, options);
  await eventually(() => page.getByText("all is well"));
  expect([...new Set(seen)]).toEqual(["broken"]);
});

test("a registry lists its names, all or of one surface", () => {
  const chart = { component: Approval, surfaces: ["panel" as const, "chat" as const] };
  const registry = createRegistry({ table, chart });
  expect(registry.names()).toEqual(["table", "chart"]);
  expect(registry.names("panel")).toEqual(["chart"]);
  expect(registry.find("constructor")).toBeUndefined();
});
