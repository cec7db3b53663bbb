import { randomScript } from "../random-script.ts";

export type Random = () => number;

function pick<Value>(random: Random, values: readonly Value[]): Value {
  const value = values[Math.floor(random() * values.length)];
  if (value === undefined) throw new RangeError("there is nothing to pick from");
  return value;
}

const times = <Value>(count: number, make: () => Value): Value[] =>
  Array.from({ length: count }, make);

const paths = [
  "a.txt",
  "b.txt",
  "src",
  "src/a.ts",
  ".",
  "*",
  "*.txt",
  "n*",
  "l*/secret.txt",
  "linkd*/",
  "*/secret.txt",
  "src/*",
  "inner/a.ts",
  "inner",
  "odd",
  "odd/*",
  "env",
  "'odd name.txt'",
  "e*/.e*",
  "key*",
  "evil/wt",
];

function some(random: Random, values: readonly string[], most = 2): string {
  return times(1 + Math.floor(random() * most), () => pick(random, values)).join(" ");
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

const marks = ["/", "|", ",", "#", ":"];
const brackets = ["[]", "[^]", "[", "[[:alpha:]", "[a]", "[\\", "[]]", "[^x]"];

/** Scripts of sed: pieces in any order, and patterns that end elsewhere for one program than for another. */
function sed(random: Random): string {
  const mark = pick(random, marks);
  const other = pick(random, marks);
  const bracket = pick(random, brackets);
  const pieces = [
    "s",
    "/",
    ",",
    "x",
    "y",
    "e payload",
    "w new",
    "p",
    ";",
    "1",
    "$",
    "{",
    "}",
    "g",
    "e",
    bracket,
    "]",
    "\\",
    "\n",
    "!",
    "r /etc/passwd",
  ];
  const script = pick(random, [
    () => `s${mark}${bracket}h${mark}x${mark};s${other}]${mark}payload${mark}e;#${other}${other}`,
    () => `${mark === "/" ? "" : "\\"}${mark}${bracket}x${mark}p;s${other}]${mark}payload${mark}e`,
    () => `s${mark}x${mark}payload${mark}${pick(random, ["g", "e", "pe", "w new", "gI"])}`,
    () => times(2 + Math.floor(random() * 8), () => pick(random, pieces)).join(""),
  ])();
  return `sed ${pick(random, ["", "-n ", "-E ", "-s "])}${quoted(script)} ${some(random, paths)}`;
}

function awk(random: Random): string {
  const pieces = [
    "{",
    "}",
    "print",
    "$1",
    '"payload"',
    "|",
    ">",
    '"new"',
    "system(",
    ")",
    "/x/",
    "/",
    "[]",
    "]",
    ";",
    "getline <",
    " ",
    "NR",
    "=",
    "\n",
    ",",
  ];
  const script = pick(random, [
    () => `{print $1${pick(random, ["", ' > "new"', ' | "payload"', ", $2"])}}`,
    () => `/[]${pick(random, ["/", "x", "]"])}/{print}`,
    () => times(2 + Math.floor(random() * 7), () => pick(random, pieces)).join(""),
  ])();
  return `awk ${quoted(script)} ${some(random, paths)}`;
}

const readers = [
  "cat",
  "head -n 2",
  "wc -l",
  "grep -n x",
  "sort",
  "nl",
  "md5sum",
  "stat",
  "ls -la",
  "diff a.txt",
  "tail -1",
  "file",
  "cut -c1-3",
  "sort --files0-from=list",
  "wc --files0=list",
  "md5sum -c",
  "diff --from-f=notes.md",
  "file -f list",
];
const recursive = [
  "grep -r x",
  "grep -R x",
  "grep -rl canary",
  "diff -r src",
  "ls -R",
  "grep -rn canary",
];

function reader(random: Random): string {
  return `${pick(random, random() < 0.7 ? readers : recursive)} ${some(random, paths)}`;
}

function find(random: Random): string {
  const tests = [
    "-type f",
    "-type l",
    "-name '*.ts'",
    "-name .env",
    "-maxdepth 2",
    "-newer a.txt",
    "-path './src/*'",
  ];
  const actions = [
    "",
    "-print",
    "-print0 | xargs -0 cat",
    "-exec cat {} +",
    "-exec cat {} \\;",
    "-delete",
    "-execdir git log -p \\;",
    "-exec sh -c 'cat \"$1\"' x {} \\;",
    "| xargs cat",
    "| xargs -I{} cat {}",
    "| head -5 | xargs wc -l",
    "-fprint new",
    "-ok payload \\;",
  ];
  return `find ${pick(random, [".", "src", "odd", "evil", "linkdir", "l*/"])} ${some(random, tests)} ${pick(random, actions)}`;
}

function expansion(random: Random): string {
  const reading = pick(random, readers);
  return pick(random, [
    () => `${reading} $(ls ${pick(random, ["", "odd", "src"])})`,
    () =>
      `for f in ${pick(random, ["*", "src/*", "$(ls)", "$(find odd -type f)"])}; do ${reading} ${pick(random, ["$f", '"$f"'])}; done`,
    () => `ls ${pick(random, ["", "-A", "odd"])} | xargs ${reading}`,
    () => `git ls-files | xargs ${reading}`,
    () => `x=$(ls); ${reading} $x`,
    () => `cd ${pick(random, ["src", "odd", "linkdir", "evil/wt"])} && ${reading} *`,
  ])();
}

function git(random: Random): string {
  const place = pick(random, [
    "",
    "-C evil/wt ",
    "-C evil/gd ",
    "-C src ",
    "-C evil/nested ",
    "-C linkdir ",
  ]);
  const command = pick(random, [
    "status -s",
    "show HEAD --stat",
    "show",
    "log -p -- a.txt",
    "log -p -1",
    "log --oneline",
    "diff",
    "blame a.txt",
    "blame .env",
    "grep canary",
    "grep -n x -- src",
    "grep x -- '.e*'",
    "show HEAD:.env",
    "show HEAD:a.txt",
    "show :.env",
    "show ':(top).env'",
    "cat-file -p HEAD:.env",
    "ls-files -s",
    "config --list",
    "config user.name",
    "-c core.pager=payload log",
    "diff --no-index a.txt notes.md",
  ]);
  return pick(random, [
    () => `git ${place}${command}`,
    () => `cd ${pick(random, ["evil/wt", "src", "evil/nested"])} && git ${command}`,
    () => `env -C ${pick(random, ["evil/wt", "src"])} git ${command}`,
  ])();
}

function tool(random: Random): string {
  const name = pick(random, ["tsc", "eslint", "vitest", "tsx"]);
  return pick(random, [
    `./node_modules/.bin/${name} --version`,
    `node_modules/.bin/${name} -v`,
    `npx ${name} --version`,
    `npx --no-install ${name} --version`,
    `tsc --version`,
    `yarn ${pick(random, ["list", "-v", "--version", "why x"])}`,
    `pnpm ${pick(random, ["ls", "-v", "list", "root"])}`,
    `npm ${pick(random, ["ls", "-v", "--version", "ls x", "root", "why x"])}`,
    `python3 -m pip ${pick(random, ["--version", "list"])}`,
    `cargo ${pick(random, ["--version", "version"])}`,
  ]);
}

/** Texts that another shell than bash runs. */
function otherShell(random: Random): string {
  const pieces = [
    "echo ",
    "\\$'",
    "\\'",
    "'",
    "; payload",
    " #",
    " x",
    "\\$",
    "{a,b}",
    "[[ ",
    "&>new",
    "<<<",
    "`",
    "\\\\",
  ];
  const text = pick(random, [
    () => `echo \\$'\\\\'; payload #'`,
    () => `echo ${times(1 + Math.floor(random() * 6), () => pick(random, pieces)).join("")}`,
    () => pick(random, ["ls", "cat a.txt | wc -l", "echo 'a; payload'", "grep x a.txt"]),
  ])();
  const start = pick(random, [
    "watch -n 1",
    "timeout 1 watch",
    "sh -c",
    "bash -c",
    "timeout 2 sh -c",
  ]);
  return `${start} "${text}"`;
}

/** Scripts with expansions, continued within words. */
function continued(random: Random): string {
  const script = pick(random, [
    `x='$(payload)'; echo "\${x@P}"`,
    `echo "$(payload)"`,
    "f=-exec; find . \"${f}\" payload ';'",
    "f=-exec; find . -name a.txt \"$f\" payload ';'",
    `echo "$[$(payload)]"`,
    "cat <<E\n$(payload)\nE",
    "echo `payload` x",
    "cat a.txt | head -1",
    "ls -la && grep -n x a.txt",
    `x=a.txt; cat "\${x}"`,
  ]);
  const openers = [...script.matchAll(/[$"'`|& ]/g)].map(({ index }) => index + 1);
  const at = random() < 0.7 ? pick(random, openers) : Math.floor(random() * script.length);
  return `${script.slice(0, at)}\\\n${script.slice(at)}`;
}

function change(random: Random): string {
  const target = pick(random, [...paths, "new.txt", "linkdir/new", "inner/new", "q"]);
  return pick(random, [
    () => `cp a.txt ${target}`,
    () => `cp -r ${pick(random, ["src", ".", "odd", "linkdir"])} q`,
    () => `mv ${pick(random, ["a.txt", "src", "inner", ".env"])} ${target}`,
    () => `rm ${pick(random, ["", "-f ", "-rf "])}${target}`,
    () => `echo x >> ${target}`,
    () => `echo x | tee ${target}`,
    () => `touch ${target}`,
    () => `truncate -s 0 ${target}`,
    () => `mkdir -p ${target}/new`,
    () => `ln -s ${pick(random, ["inner", "../outside", "src"])} q && echo x > q/new`,
    () =>
      `mv ${pick(random, ["src", "inner", "linkdir"])} q; ${pick(random, ["cat", "touch"])} q/secret.txt`,
    () =>
      `cp -r . q; ${pick(random, ["cat q/linkdir/secret.txt", "echo x > q/linkdir/f", "cat q/a.txt"])}`,
    () => `for d in ${pick(random, ["l*", "*", "src"])}; do touch $d/q; done`,
    () => `sed -i 's/x/y/' ${target}`,
    () =>
      `git ${pick(random, ["add a.txt", "checkout .", "stash", "mv a.txt c.txt", "commit -qam x", "restore b.txt", "checkout b.txt", "checkout HEAD b.txt", "checkout main -- b.txt", "checkout -q main", "checkout -f", "reset --hard", "reset -q", "restore --staged b.txt", "switch -c x", "switch -f main", "checkout '*.txt'", "checkout ':/'", "checkout -B y", "rm -f b.txt", "rm b.txt", "clean -fdq", "merge --abort", "checkout -t main", "checkout HEAD .", "reset --merge", "checkout HEAD~1", "checkout -b z HEAD~1", "restore -s HEAD~1 b.txt", "checkout -p"])}`,
    () => `mkdir -p w && echo x > w/a.txt && cat w/a.txt`,
  ])();
}

const wrappers = ["timeout 2 ", "nice ", "env FOO=1 ", "command ", "nohup ", "time ", "FOO=1 "];

const kinds = [
  sed,
  sed,
  awk,
  reader,
  reader,
  find,
  expansion,
  git,
  git,
  tool,
  otherShell,
  continued,
  change,
  change,
];

/** A command, wrapped or followed by another one now and then. */
export function randomCommand(random: Random): string {
  if (random() < 0.08) return randomScript(random);
  const first = pick(random, kinds)(random);
  const wrapped = random() < 0.12 ? pick(random, wrappers) + first : first;
  const choice = random();
  if (choice < 0.1)
    return `${wrapped}${pick(random, ["; ", " && ", " | ", "\n", " || "])}${pick(random, kinds)(random)}`;
  if (choice < 0.14) return `bash -c ${quoted(wrapped)}`;
  return wrapped;
}
