// @vitest-environment happy-dom
import { cleanup, configure, render, screen, waitFor } from "@testing-library/react";
import { createHighlighter, createUrlRule } from "@turnwire/markdown";
import { StrictMode } from "react";
import { renderToString } from "react-dom/server";
import { afterEach, describe, expect, test } from "vitest";
import { markdownAttacks } from "../../markdown/src/test-support/attack.ts";
import { FakeWorker } from "../../markdown/src/test-support/fake-worker.ts";
import type { MarkdownComponents, MarkdownLinkProps } from "./markdown-context.ts";
import { Markdown } from "./markdown.tsx";

afterEach(cleanup);
// A busy machine needs more than the second that is the default.
configure({ asyncUtilTimeout: 240_000 });

const allowedElements =
  "div,p,h1,h2,h3,h4,h5,h6,span,pre,code,blockquote,ul,ol,li,input[type=checkbox],table,thead,tbody,tr,th,td,hr,br,em,strong,del,a,img";

function isInert(element: Element): boolean {
  const names = element.getAttributeNames();
  return (
    element.matches(allowedElements) &&
    !names.some((name) => name.startsWith("on") || name === "id" || name === "style") &&
    /^(?:https?:\/\/|mailto:)/.test(element.getAttribute("href") ?? "https://") &&
    /^data:image\/(?:png|jpeg|gif|webp)/.test(element.getAttribute("src") ?? "data:image/png")
  );
}

/** Components whose links count how often each was rendered. */
function createCounters() {
  const counts = new Map<string, number>();
  const Link = ({ url, children }: MarkdownLinkProps) => {
    counts.set(url, (counts.get(url) ?? 0) + 1);
    return <a href={url}>{children}</a>;
  };
  const components: MarkdownComponents = { Link };
  return { counts, components };
}

describe("<Markdown>", () => {
  test("shows every kind of block", () => {
    const text = `# Title\n\ntext *a* **b** ~~c~~ \`d\`\n\n- one\n- [x] two\n\n3. three\n\n> quote\n\n---\n\n|a|b|\n|:-:|-:|\n|1|2|\n\n\`\`\`ts\ncode\n\`\`\``;
    const { container } = render(<Markdown text={text} />);
    expect(container.innerHTML).toMatchSnapshot();
  });

  test("runs from right to left where its letters do, and code never does", () => {
    const text =
      "مرحبا.\n\n> שלום.\n\n- واحد\n- 2\n\n| اسم | b |\n|---|---|\n| 1 | x |\n\n```\nمرحبا\n```";
    const { container } = render(<Markdown text={text} />);
    const dirs = (selector: string) =>
      [...container.querySelectorAll(selector)].map((element) => element.getAttribute("dir"));
    expect(dirs(".tw-md > p, blockquote > p")).toEqual(["auto", "auto"]);
    expect(dirs("blockquote, ul, table")).toEqual(["rtl", "rtl", "rtl"]);
    expect(dirs("li")).toEqual(["auto", null]);
    expect(dirs("th, td")).toEqual(["auto", "auto", null, "auto"]);
    expect(dirs("pre")).toEqual(["ltr"]);
  });

  test("names what assistive technology reads", () => {
    render(<Markdown text={"- [x] done\n- [ ] open\n\n|a|\n|-|\n|1|"} />);
    const boxes = screen.getAllByRole<HTMLInputElement>("checkbox");
    expect(
      boxes.map((box) => [box.ariaLabel ?? box.getAttribute("aria-label"), box.checked]),
    ).toEqual([
      ["Done", true],
      ["To do", false],
    ]);
    expect(screen.getByRole("columnheader").getAttribute("scope")).toBe("col");
    expect(screen.getByRole("region", { name: "Table" }).tabIndex).toBe(0);
  });

  test("renders a finished block once, however long the text grows after it", () => {
    const { counts, components } = createCounters();
    const links = Array.from({ length: 50 }, (_, place) => `https://a.example/${place}`);
    const text = links.map((url) => `Paragraph with [a link](${url}) and words.\n\n`).join("");
    const { rerender } = render(<Markdown text="" isStreaming components={components} />);
    for (let end = 0; end <= text.length; end += 3) {
      rerender(<Markdown text={text.slice(0, end)} isStreaming components={components} />);
    }
    rerender(<Markdown text={text} isStreaming components={components} />);
    const once = new Map(counts);
    rerender(<Markdown text={`${text}tail`} isStreaming components={components} />);
    rerender(<Markdown text={`${text}tail end`} isStreaming components={components} />);
    expect(counts).toEqual(once);
    expect(Math.max(...counts.values())).toBeLessThan(14); // while its own paragraph was written
  });

  test("renders a finished item once while its list grows", () => {
    const { counts, components } = createCounters();
    let text = "- [a](https://a.example)\n";
    const { rerender } = render(<Markdown text={text} isStreaming components={components} />);
    for (let place = 0; place < 100; place += 1) {
      text += `- item ${place}\n`;
      rerender(<Markdown text={text} isStreaming components={components} />);
    }
    expect(counts.get("https://a.example")).toBeLessThanOrEqual(3);
  });

  test("shows what is half-written as what it will be, and all as written at the end", () => {
    const { container, rerender } = render(<Markdown text="**bo" isStreaming />);
    expect(container.querySelector("strong")?.textContent).toBe("bo");
    rerender(<Markdown text="**bo" />);
    expect(container.querySelector("strong")).toBeNull();
    expect(container.textContent).toBe("**bo");
  });

  test("starts over when the text is another", () => {
    const { container, rerender } = render(<Markdown text="first text" isStreaming />);
    rerender(<Markdown text="other" isStreaming />);
    expect(container.textContent).toBe("other");
  });

  test("colours code when its tokens come, in strict mode too", async () => {
    const worker = new FakeWorker();
    const highlighter = createHighlighter({ createWorker: () => worker });
    const { container } = render(
      <StrictMode>
        <Markdown text={"```ts\nconst a = 1;\n```"} highlighter={highlighter} />
      </StrictMode>,
    );
    expect(container.querySelector("pre")?.textContent).toBe("const a = 1;");
    await waitFor(() => expect(worker.requests).toHaveLength(1));
    worker.answer();
    await waitFor(() =>
      expect(container.querySelector(".tw-md-token-keyword")?.textContent).toBe("const"),
    );
    expect(container.querySelector("pre")?.textContent).toBe("const a = 1;");
    highlighter.close();
  });

  test("gives code blocks their language and the application's copy button", () => {
    const components: MarkdownComponents = {
      CopyButton: ({ text }) => <button type="button">{`copy ${text}`}</button>,
    };
    render(<Markdown text={"```ts\na\n```"} components={components} />);
    expect(screen.getByText("ts").className).toBe("tw-md-code-language");
    expect(screen.getByRole("button", { name: "copy a" })).toBeTruthy();
  });

  test("opens links elsewhere without a referrer", () => {
    render(<Markdown text="[a](https://a.example 'Title')" />);
    const link = screen.getByRole("link", { name: "a" });
    expect(link.getAttribute("rel")).toBe("noopener noreferrer nofollow");
    expect(link.getAttribute("title")).toBe("Title");
  });

  test("loads an image only if the rule allows it", () => {
    const text = "![alt](https://a.example/x.png)";
    const { container, rerender } = render(<Markdown text={text} />);
    expect(container.querySelector("img")).toBeNull();
    rerender(<Markdown text={text} urlRule={createUrlRule({ allowRemoteImages: true })} />);
    expect(container.querySelector("img")?.getAttribute("referrerpolicy")).toBe("no-referrer");
  });

  test("is rendered on a server as in a page", () => {
    const text = "# a\n\n```ts\nb\n```";
    const { container } = render(<Markdown text={text} />);
    expect(renderToString(<Markdown text={text} />)).toBe(container.innerHTML);
  });

  test("makes no element, attribute or address of an attack that it does not know", () => {
    const { container } = render(
      markdownAttacks.map(({ name, text }) => <Markdown key={name} text={text} />),
    );
    const elements = Array.from(container.querySelectorAll(".tw-md *"));
    expect(elements.length).toBeGreaterThan(markdownAttacks.length);
    expect(
      elements.filter((element) => !isInert(element)).map(({ outerHTML }) => outerHTML),
    ).toEqual([]);
  });
});
