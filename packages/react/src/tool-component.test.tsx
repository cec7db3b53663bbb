import { createClient } from "@turnwire/client";
import { draft, type AgentMessage, type EventDraft } from "@turnwire/protocol";
import type { ReactNode } from "react";
import { expect, test } from "vitest";
import * as z from "zod";
import {
  ComponentView,
  createRegistry,
  Surface,
  useComponent,
  useMessages,
  type ComponentProps,
} from "./index.ts";
import { eventually, openPage } from "./test-support/page.tsx";
import { fetchLog, logOf, ready, turnOf } from "./test-support/scripted-log.ts";

const WeatherProps = z.object({ city: z.string(), degrees: z.number().optional() });

function Weather({
  props,
  status,
  error,
}: ComponentProps<z.infer<typeof WeatherProps>>): ReactNode {
  return <p>{[props.city, props.degrees, status, error].join(" ")}</p>;
}

const weather = {
  name: "weather",
  description: "The weather in a city.",
  props_schema: { type: "object" },
  surfaces: ["chat" as const, "panel" as const],
  tools: [{ tool: "forecast" }],
};

const entry = { component: Weather, surfaces: weather.surfaces, parse: WeatherProps };

function Chat(): ReactNode {
  return useMessages()
    .filter((message): message is AgentMessage => message.role === "agent")
    .flatMap(({ blocks }) => blocks)
    .map((block) =>
      block.type === "tool" || block.type === "component" ? (
        <ComponentView key={block.key} block={block}>
          <p>a tool use</p>
        </ComponentView>
      ) : null,
    );
}

const place = { turn_id: "t1" };
const begin = [
  ready,
  draft("catalog_updated", { entries: [weather] }),
  ...turnOf("t1", ["Well:"]).slice(0, -1),
];

function openScripted(
  drafts: readonly EventDraft[],
  registry = createRegistry({ weather: entry }),
) {
  const log = logOf([...begin, ...drafts]);
  const client = createClient({ url: "http://log.test", fetch: fetchLog(log, begin.length) });
  const content = (
    <>
      <Chat />
      <Surface name="panel" />
    </>
  );
  return openPage(content, { client, sessionId: "scripted", registry });
}

const piece = (partial_json: string) =>
  draft("tool_input_delta", { tool_use_id: "u1", tool: "forecast", partial_json }, place);
const started = draft(
  "tool_start",
  { message_id: "m", tool_use_id: "u1", tool: "forecast", input: { city: "Nice" } },
  place,
);
const ended = (output: string, is_error = false) =>
  draft("tool_result", { tool_use_id: "u1", output, is_error }, place);

test("a tool use is its component: loading while its input comes, then filled by the result", async () => {
  const streaming = await openScripted([piece('{"city":"Ni')]);
  await eventually(() => streaming.getByText("Ni loading", { normalizer: squeezed }));
  streaming.unmount();
  const page = await openScripted([piece('{"city":"Ni'), started, ended('{"degrees":21}')]);
  await eventually(() => page.getByText("Nice 21 ready", { normalizer: squeezed }));
  expect(page.queryByText("a tool use")).toBeNull();
});

test("before its props are complete enough it is on its way, and it shows why its tool failed", async () => {
  const page = await openScripted([piece('{"city":')]);
  expect((await eventually(() => page.getByRole("status"))).textContent).toContain("weather");
  page.unmount();
  const failed = await openScripted([started, ended("no network", true)]);
  await eventually(() => failed.getByText("Nice error no network", { normalizer: squeezed }));
});

test("what the page has no component for, or cannot take, is the page's own view of a tool use", async () => {
  const page = await openScripted([started], createRegistry({}));
  expect(await eventually(() => page.getByText("a tool use"))).toBeTruthy();
  page.unmount();
  const odd = await openScripted([started, ended('{"degrees":"hot"}')]);
  expect(await eventually(() => odd.getByText("a tool use"))).toBeTruthy();
});

test("a component for the panel grows there while the model writes it", async () => {
  const partial_json = '{"name":"weather","surface":"panel","props":{"city":"Os';
  const tool = {
    tool_use_id: "u2",
    tool: "mcp__turnwire__render_component",
    ui_tool: "render_component",
  } as const;
  const page = await openScripted([draft("tool_input_delta", { ...tool, partial_json }, place)]);
  const shown = await eventually(() => page.getByText("Os loading", { normalizer: squeezed }));
  expect(shown).toBeTruthy();
});

test("a component that the page offers is in the session's catalog once, and is shown", async () => {
  function Offer(): ReactNode {
    const { status } = useComponent({ ...weather, component: Weather, parse: WeatherProps });
    return <p>it is {status}</p>;
  }
  const page = await openPage(
    <>
      <Offer />
      <Offer />
      <Surface name="panel" />
    </>,
  );
  await eventually(() => expect(page.getAllByText("it is offered")).toHaveLength(2));
  const { state } = await page.client.sessions.snapshot(page.sessionId);
  expect(state.catalog).toEqual([weather]);
});

test("a component of the same name but with other words is refused, with the reason", async () => {
  const first = await openPage(<OfferAs description="The weather in a city." />);
  await eventually(() => first.getByText("offered"));
  const { server, client, sessionId } = first;
  const second = await openPage(<OfferAs description="Something else." />, {
    server,
    client,
    sessionId,
  });
  expect(await eventually(() => second.getByText("refused catalog_conflict"))).toBeTruthy();
});

function OfferAs({ description }: { readonly description: string }): ReactNode {
  const state = useComponent({ ...weather, description, component: Weather, parse: WeatherProps });
  return <p>{state.status === "refused" ? `refused ${state.error.error?.code}` : state.status}</p>;
}

function squeezed(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}
