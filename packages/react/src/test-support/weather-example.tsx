/** The code of docs/guides/show-components.md; a test keeps both the same and runs it. */
import type { TurnwireClient } from "@turnwire/client";
import type { ReactNode } from "react";
import * as z from "zod";
import {
  ComponentView,
  SessionProvider,
  Surface,
  TurnwireProvider,
  useComponent,
  useMessages,
  type ComponentProps,
} from "../index.ts";

const WeatherProps = z.object({ city: z.string(), degrees: z.number().optional() });

function Weather(weather: ComponentProps<z.infer<typeof WeatherProps>>): ReactNode {
  const { props, status, callback } = weather;
  return (
    <section aria-busy={status === "loading"}>
      <h2>{props.city}</h2>
      <p>{status === "error" ? weather.error : `${props.degrees ?? "…"} °C`}</p>
      <button onClick={() => void callback("refresh", { city: props.city })}>Refresh</button>
    </section>
  );
}

function WeatherOffer(): ReactNode {
  const offer = useComponent({
    name: "weather",
    description: "The weather in a city. Use it instead of writing temperatures.",
    props_schema: {
      type: "object",
      properties: { city: { type: "string" }, degrees: { type: "number" } },
      required: ["city"],
    },
    surfaces: ["chat", "panel"],
    tools: [{ tool: "mcp__weather__forecast" }],
    component: Weather,
    parse: WeatherProps,
  });
  return offer.status === "refused" ? <p role="alert">{offer.error.message}</p> : null;
}

function Conversation(): ReactNode {
  return useMessages().map((message) => (
    <article key={message.id}>
      {message.role === "agent" &&
        message.blocks.map((block) =>
          block.type === "component" || block.type === "interrupt" || block.type === "tool" ? (
            <ComponentView key={block.key} block={block}>
              {block.type === "tool" && <code>{block.tool}</code>}
            </ComponentView>
          ) : null,
        )}
    </article>
  ));
}

export interface WeatherPageProps {
  readonly client: TurnwireClient;
  readonly sessionId: string;
}

export function WeatherPage({ client, sessionId }: WeatherPageProps): ReactNode {
  return (
    <TurnwireProvider client={client}>
      <SessionProvider sessionId={sessionId}>
        <WeatherOffer />
        <Conversation />
        <aside>
          <Surface name="panel" fallback={<p>Nothing here yet</p>} />
        </aside>
      </SessionProvider>
    </TurnwireProvider>
  );
}
