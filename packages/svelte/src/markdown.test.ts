import { mount, tick, unmount } from "svelte";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Highlighter } from "@turnwire/markdown";
import MarkdownPage from "./test-support/MarkdownPage.svelte";
import { growingText } from "./test-support/growing-text.svelte.ts";

type Shown = ReturnType<typeof show>;

function show(text: string, rest: { isStreaming?: boolean; highlighter?: Highlighter } = {}) {
  const growing = growingText(text);
  const target = document.body.appendChild(document.createElement("main"));
  const page = mount(MarkdownPage, { target, props: { growing, ...rest } });
  onTestFinished(async () => {
    await unmount(page);
    target.remove();
  });
  return { growing, target };
}

/** The page without the marks that Svelte leaves for itself. */
function html({ target }: Shown): string {
  return target.innerHTML.replaceAll(/<!--.*?-->/g, "");
}

const everything = `# Title

A *soft* **loud** ~~gone~~ \`code\` line with [a link](https://example.com "there"),
and ![a picture](https://example.com/a.png).

> quoted

3. three
4. four

- [x] done
- [ ] open

| a | b |
|:--|--:|
| 1 | 2 |

\`\`\`ts
const one = 1;
const two = 2;
\`\`\`

---
`;

describe("markdown", () => {
  test("is shown as elements", () => {
    const page = show(everything);
    const link = page.target.querySelector("a");
    expect(link?.getAttribute("href")).toBe("https://example.com");
    expect(link?.getAttribute("rel")).toBe("noopener noreferrer nofollow");
    const shown = html(page);
    for (const piece of [
      '<h1 class="tw-md-heading" dir="auto">Title</h1>',
      "A <em>soft</em> <strong>loud</strong> <del>gone</del> ",
      '<code class="tw-md-code">code</code> line with <a',
      'title="there">a link</a>,',
      '<blockquote class="tw-md-quote" dir="ltr"><p class="tw-md-paragraph" dir="auto">quoted</p></blockquote>',
      '<ol class="tw-md-list" dir="ltr" start="3"><li class="tw-md-item" dir="auto">three</li>',
      'aria-label="Done"> done</li>',
      '<td class="tw-md-align-right">2</td>',
      "<code>const one = 1;\nconst two = 2;",
      '<hr class="tw-md-rule">',
    ]) {
      expect(shown).toContain(piece);
    }
  });

  test("runs from right to left where its letters do, and code never does", () => {
    const { target } = show(
      "مرحبا.\n\n> שלום.\n\n- واحد\n- 2\n\n| اسم | b |\n|---|---|\n| 1 | x |\n\n```\nمرحبا\n```",
    );
    const dirs = (selector: string) =>
      // Svelte writes an empty direction where there is none; it means the same.
      [...target.querySelectorAll(selector)].map((element) => element.getAttribute("dir") || null);
    expect(dirs(".tw-md > p, blockquote > p")).toEqual(["auto", "auto"]);
    expect(dirs("blockquote, ul, table")).toEqual(["rtl", "rtl", "rtl"]);
    expect(dirs("li")).toEqual(["auto", null]);
    expect(dirs("th, td")).toEqual(["auto", "auto", null, "auto"]);
    expect(dirs("pre")).toEqual(["ltr"]);
  });

  test("lets no HTML and no script through", () => {
    const { target } = show(
      '<img src=x onerror="alert(1)"> [click](javascript:alert(1)) <script>alert(1)</script>',
    );
    expect(target.querySelectorAll("script, img[onerror], a")).toHaveLength(0);
    expect(target.textContent).toContain("alert(1)");
  });

  test("that still grows touches only its last block", async () => {
    const shown = show("# Title\n\nFirst paragraph.\n\n", { isStreaming: true });
    const [title, first] = shown.target.querySelectorAll("h1, p");
    const changes: MutationRecord[] = [];
    const observer = new MutationObserver((records) => changes.push(...records));
    for (const node of [title, first]) {
      if (!node) throw new Error("the text has no such block");
      observer.observe(node, { childList: true, characterData: true, subtree: true });
    }
    for (let index = 0; index < 500; index += 1) {
      shown.growing.add(index % 50 === 49 ? "\n\n" : "word ");
      await tick();
    }
    observer.disconnect();
    expect(changes).toEqual([]);
    expect(shown.target.querySelector("h1")).toBe(title);
    expect(shown.target.querySelector("p")).toBe(first);
    expect(shown.target.querySelectorAll("p").length).toBeGreaterThan(10);
  });

  test("shows in the application's own way what it has one for", () => {
    const shown = show("```ts\n1\n```\n");
    expect(html(shown)).toContain('<button type="button">Copy 1</button>');
  });
});

describe("code", () => {
  test("gets its colours when they have come", async () => {
    let answer = (): void => {};
    const highlighter: Highlighter = {
      highlight: () =>
        new Promise((resolve) => {
          answer = () => resolve([[{ text: "const", kind: "keyword" }], []]);
        }),
      close: () => {},
    };
    const shown = show("```ts\nconst\n```\n", { highlighter });
    await tick();
    expect(shown.target.querySelector("pre span")).toBeNull();
    expect(shown.target.querySelector("pre")?.textContent).toContain("const");
    answer();
    await expect
      .poll(() => shown.target.querySelector("pre .tw-md-token-keyword")?.textContent)
      .toBe("const");
  });
});
