import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { fireEvent, render } from "./test-support/dom.ts";
import { App, ColorTool, renderPage } from "./test-support/example.tsx";
import { eventually, openPage } from "./test-support/page.tsx";

function read(path: string): string {
  return readFileSync(new URL(path, import.meta.url), "utf8");
}

describe("the guide", () => {
  test("shows only code that is compiled and run here", () => {
    const example = read("test-support/example.tsx");
    const pages = [read("../README.md"), read("../../../docs/packages/react.md")];
    const blocks = pages.flatMap((page) =>
      Array.from(page.matchAll(/```tsx\n([^]*?)```/g), ([, code]) => code),
    );
    expect(blocks.length).toBeGreaterThan(5);
    expect(blocks.filter((code = "") => !example.includes(code.trim()))).toEqual([]);
  });

  test("shows an application that works", async () => {
    const { server, client, sessionId } = await openPage(<ColorTool />);
    const page = render(<App client={client} sessionId={sessionId} />);
    await eventually(() => page.getByText("Nothing here yet"));
    const say = (text: string): void => {
      fireEvent.change(page.getByLabelText("Message"), { target: { value: text } });
      fireEvent.click(page.getByText("Send"));
    };
    say("/permission");
    fireEvent.click(await eventually(() => page.getByText("Allow")));
    await eventually(() => page.getByText(/^Done, with this input/));
    say("/components");
    await eventually(() => page.getByText(/^Lines per week: 12, 30, 21, 44/));
    say("/state");
    fireEvent.click(await eventually(() => page.getByText("2 to do")));
    await eventually(() => page.getByText("3 to do"));
    page.unmount();
    expect(await renderPage(server.createClient(), sessionId)).toContain(
      "the chart stays in the panel",
    );
  });
});
