import * as fc from "fast-check";

/** A text with every kind of block, as agents write them. */
export const sampleText = `# Title with **bold** and \`code\`

A paragraph with *emphasis*, ~~gone~~, a [link](https://example.com "Title"), a [reference][later]
and https://example.com/bare?q=1. A hard break  
follows, \\*escaped\\* and &copy; too.

Setext heading
--------------

- one
- two
  - nested **deep
    text**
  - [x] done
  - [ ] to do

  \`\`\`ts
  const a = 1;

  const b = 2;
  \`\`\`
- three

1. first
2. second

   loose

> Quoted *text*
lazy line
> - in a list
>   > twice

| left | right | \`a\\|b\` |
| :--- | ---: | :-: |
| 1 | **2** | 3 |
| 4 | 5

<div onclick="alert(1)">
**raw**
</div>

    indented

    code

***

\`\`\`\`md
\`\`\`
not closed
\`\`\`
\`\`\`\`

![image](https://example.com/a.png) and ![data](data:image/png;base64,AAAA)

[later]: https://example.com/later
  "Title on the next line"

After the definition: [later].
`;

/** Pieces whose mixture makes blocks begin, continue, nest and end in unexpected places. */
const pieces = [
  "word",
  "two words",
  " ",
  "  ",
  "    ",
  "\t",
  "\n",
  "\n",
  "\n",
  "\n\n",
  "\r\n",
  "\r",
  "#",
  "## ",
  "- ",
  "* ",
  "+ ",
  "1. ",
  "2) ",
  "> ",
  ">",
  "```",
  "~~~",
  "```ts\n",
  "---",
  "===",
  "***",
  "*",
  "**",
  "_",
  "__",
  "~",
  "~~",
  "`",
  "``",
  "[",
  "]",
  "(",
  ")",
  "![",
  "](",
  "[a]",
  "[a]: /b",
  "[a]: https://a.b 'c'\n",
  "[A][]",
  "[b][a]",
  "<div>",
  "</div>",
  "<b>",
  "<!--",
  "-->",
  "<https://a.b>",
  "https://a.b/c",
  "www.a.b",
  "a@b.c",
  "|",
  " | ",
  "|-|-|",
  "| a | b |\n",
  ":-:",
  "\\",
  "&amp;",
  "&#35;",
  "!",
  ":",
  '"',
  "[ ] ",
  "[x] ",
  "\u00a0",
  "é",
  "😀",
  "\0",
] as const;

/** Texts that look like Markdown gone wrong, of all pieces but some. */
export function markdownText(without: readonly string[] = []): fc.Arbitrary<string> {
  const used = pieces.filter((piece) => !without.includes(piece));
  return fc.array(fc.constantFrom(...used), { maxLength: 40 }).map((parts) => parts.join(""));
}
