import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { fireEvent, render } from "./test-support/dom.ts";
import { eventually } from "./test-support/page.tsx";
import { startServer } from "./test-support/server.ts";
import { WeatherPage } from "./test-support/weather-example.tsx";

function read(path: string): string {
  return readFileSync(new URL(path, import.meta.url), "utf8");
}

describe("the guide to components", () => {
  test("is the whole example that is compiled and run here", () => {
    const example = read("test-support/weather-example.tsx");
    const guide = read("../../../docs/guides/show-components.md");
    const blocks = Array.from(guide.matchAll(/```tsx\n([^]*?)```/g), ([, code]) => code);
    const code = example.slice(example.indexOf("import "));
    expect(blocks.join("\n")).toBe(code.replace("../index.ts", "@turnwire/react"));
  });

  test("goes from the schema to the screen, and back to the agent", async () => {
    const server = await startServer();
    const client = server.createClient();
    const { session_id } = await client.sessions.create();
    const page = render(<WeatherPage client={client} sessionId={session_id} />);
    await eventually(() => page.getByText("Nothing here yet"));
    const state = async () => (await client.sessions.snapshot(session_id)).state;
    await eventually(async () =>
      expect(await state()).toMatchObject({ catalog: [{ name: "weather" }] }),
    );

    const shown = { component_id: "w1", name: "weather", surface: "panel" as const };
    await expect(
      client.sessions.showComponent(session_id, { ...shown, props: { city: 7 } }),
    ).rejects.toMatchObject({ status: 400 });
    await client.sessions.showComponent(session_id, { ...shown, props: { city: "Nice" } });
    await eventually(() => page.getByText("… °C"));
    const patches = [{ op: "add" as const, path: "/degrees", value: 21 }];
    await client.sessions.showComponent(session_id, { component_id: "w1", patches });
    await eventually(() => page.getByText("21 °C"));

    fireEvent.click(page.getByText("Refresh"));
    await eventually(async () => {
      const { messages } = await state();
      expect(messages).toContainEqual(
        expect.objectContaining({
          role: "user",
          callback: expect.objectContaining({ name: "weather", action: "refresh" }),
        }),
      );
    });
    await client.sessions.removeComponent(session_id, "w1");
    await eventually(() => page.getByText("Nothing here yet"));
    page.unmount();
  });
});
