/** Languages by the ending of a file's name, where the ending is not itself a name the highlighter knows. */
const byEnding: Readonly<Record<string, string>> = {
  bash: "bash",
  c: "c",
  cc: "cpp",
  cjs: "javascript",
  conf: "ini",
  cpp: "cpp",
  cs: "csharp",
  css: "css",
  cts: "typescript",
  cxx: "cpp",
  diff: "diff",
  go: "go",
  gql: "graphql",
  graphql: "graphql",
  h: "c",
  hpp: "cpp",
  htm: "xml",
  html: "xml",
  ini: "ini",
  java: "java",
  js: "javascript",
  json: "json",
  json5: "json",
  jsonc: "json",
  jsonl: "json",
  jsx: "javascript",
  kt: "kotlin",
  kts: "kotlin",
  less: "less",
  lua: "lua",
  m: "objectivec",
  markdown: "markdown",
  md: "markdown",
  mdx: "markdown",
  mjs: "javascript",
  mk: "makefile",
  mts: "typescript",
  patch: "diff",
  php: "php",
  pl: "perl",
  pm: "perl",
  properties: "ini",
  py: "python",
  pyi: "python",
  r: "r",
  rake: "ruby",
  rb: "ruby",
  rs: "rust",
  scss: "scss",
  sh: "bash",
  sql: "sql",
  svelte: "xml",
  svg: "xml",
  swift: "swift",
  toml: "ini",
  ts: "typescript",
  tsx: "typescript",
  vb: "vbnet",
  vue: "xml",
  xhtml: "xml",
  xml: "xml",
  yaml: "yaml",
  yml: "yaml",
  zsh: "bash",
};

/** Languages of files whose whole name says it. */
const byName: Readonly<Record<string, string>> = {
  ".bashrc": "bash",
  ".env": "ini",
  ".gitconfig": "ini",
  ".npmrc": "ini",
  ".profile": "bash",
  ".zshrc": "bash",
  containerfile: "dockerfile",
  dockerfile: "dockerfile",
  gemfile: "ruby",
  gnumakefile: "makefile",
  makefile: "makefile",
  rakefile: "ruby",
};

/** The language a file is written in, by its name; for highlighting files and diffs. */
export function languageFromPath(path: string): string | undefined {
  const name = path
    .slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1)
    .toLowerCase();
  if (Object.hasOwn(byName, name)) return byName[name];
  if (name.startsWith("dockerfile.") || name.endsWith(".dockerfile")) return "dockerfile";
  const dot = name.lastIndexOf(".");
  const ending = name.slice(dot + 1);
  return dot !== -1 && Object.hasOwn(byEnding, ending) ? byEnding[ending] : undefined;
}
