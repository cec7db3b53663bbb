import { readFileSync } from "node:fs";
import { join } from "node:path";

/** A repeatable source of numbers from 0 to 1 (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Names of the program that no allowed script may reach. */
const payloads = [
  "payload",
  "pay''load",
  "pay\\load",
  "'payload'",
  '"payload"',
  "$p",
  "p{a,}yload",
  "$p{load,}",
  '"${a[1]}"',
];
const harmless = [
  "ls",
  "cat a.txt",
  "echo hi",
  "pwd",
  "true",
  "false",
  "head -n 1 a.txt",
  "grep -c x a.txt",
  "wc -l a.txt",
  "printf '%s\\n' x",
  "find . -name a.txt",
  "sort a.txt",
  "[ -f a.txt ]",
  "[[ -n x ]]",
  "cd sub",
  "x=1",
  "echo $x",
  'echo "$x"',
  "sed -n 1p a.txt",
  "awk '{print $1}' a.txt",
  "read -r x",
  ":",
  "p=ls",
  "p=payload",
  "p=pay pload=payload",
  "p=ls; p=payload q=$p",
  "a=(ls payload)",
  'echo "${a[@]}"',
  'env FOO="${a[@]}" ls',
  "unset p",
  "unset payload",
  "payload() { ls; }",
  "f() { p=payload; local p; }",
  "read -rap <<< payload",
  'export "p=payload"',
  "echo $((1/1))",
  "echo $((1/0))",
  "x='a[$(payload)]'",
  'sort -k "$x" a.txt',
  "find . -name $x",
];
const pieces = [
  ..."$ ( ) { } [ ] < > | & ; ! # ~ * ? = + - : / , @ % ^ \\ ' \" `".split(" "),
  " ",
  "\n",
  "\t",
  "$(",
  "${",
  "$((",
  "$'",
  '$"',
  "<(",
  ">(",
  "<<<",
  "<<E\n",
  "\nE\n",
  "&&",
  "||",
  ";;",
  "|&",
  "&>",
  ">|",
  "2>&1",
  "\\\n",
  "[[",
  "]]",
  "((",
  "))",
  "in",
  "do",
  "done",
  "then",
  "fi",
  "esac",
  "x",
  "p=payload",
  "a[0]",
  "@P",
  ":-",
  "1",
  "$p",
  "{s,}",
  '"${a[@]}"',
  "a=(",
  ")x",
  "# c\n",
  "<<-'E'\n",
  "$[",
  "coproc ",
  "time -p ",
  "function f ",
  ";;&",
];

type Random = () => number;

function pick<Value>(random: Random, values: readonly Value[]): Value {
  const value = values[Math.floor(random() * values.length)];
  if (value === undefined) throw new RangeError("there is nothing to pick from");
  return value;
}

/** Ways to put a script into another one. */
const frames: readonly ((inner: string, other: string) => string)[] = [
  (inner, other) => `${other}; ${inner}`,
  (inner, other) => `${other} && ${inner}`,
  (inner, other) => `${other} || ${inner}`,
  (inner, other) => `${other} | ${inner}`,
  (inner, other) => `${other}\n${inner}`,
  (inner, other) => `${other} & ${inner}`,
  (inner) => `( ${inner} )`,
  (inner) => `{ ${inner}; }`,
  (inner) => `echo $(${inner})`,
  (inner) => `echo "$(${inner})"`,
  (inner) => `echo \`${inner}\``,
  (inner) => `cat <(${inner})`,
  (inner) => `if ${inner}; then :; fi`,
  (inner, other) => `if ${other}; then ${inner}; fi`,
  (inner, other) => `while ${other}; do ${inner}; break; done`,
  (inner) => `for x in a b; do ${inner}; done`,
  (inner) => `for x in $(${inner}); do echo $x; done`,
  (inner) => `case a in a) ${inner};; esac`,
  (inner) => `f() { ${inner}; }; f`,
  (inner) => `x=$(${inner})`,
  (inner) => `echo \${x:-$(${inner})}`,
  (inner) => `echo $(( $(${inner}) ))`,
  (inner) => `cat <<E\n$(${inner})\nE`,
  (inner) => `cat <<'E'\n$(${inner})\nE`,
  (inner) => `bash -c '${inner.replaceAll("'", `'\\''`)}'`,
  (inner) => `bash -c "${inner.replaceAll(/(["\\$`])/g, "\\$1")}"`,
  (inner) => `eval '${inner.replaceAll("'", `'\\''`)}'`,
  (inner) => `env ${inner}`,
  (inner) => `timeout 2 ${inner}`,
  (inner) => `command ${inner}`,
  (inner) => `echo x | xargs ${inner}`,
  (inner) => `find . -name a.txt -exec ${inner} {} \\;`,
  (inner) => `! ${inner}`,
  (inner) => `time ${inner}`,
  (inner) => `trap '${inner.replaceAll("'", `'\\''`)}' EXIT`,
  (inner) => `bash <<E\n${inner}\nE`,
  (inner) => `[[ -n $(${inner}) ]]`,
  (inner) => `[ "$(${inner})" ]`,
  (inner) => `echo 'a' "${inner}"`,
  (inner) => `echo '${inner}'`,
  (inner) => `# ${inner}\n:`,
  (inner) => `test -v 'a[$(${inner})]'`,
  (inner) => `a=([$(${inner})]=1)`,
  (inner) => `a=(x $(${inner}) y)`,
  (inner) => `a=($(${inner}))x`,
  (inner) => `a=(x # $(${inner})\n y)`,
  (inner) => `a+=("$(${inner})" <(${inner}))`,
  (inner) => `a[$(${inner})]=1`,
  (inner) => `declare a=($(${inner}))x`,
  (inner) => `cat < <(${inner})`,
  (inner) => `cat <<-E\n\t$(${inner})\n\tE`,
  (inner) => `cat <<A <<'B'\n$(${inner})\nA\n$(${inner})\nB`,
  (inner) => `bash <<E\n${inner.replaceAll(/([\\$`])/g, "\\$1")}\nE`,
  (inner) => `echo $(cat <<'E'\n)\nE\n${inner})`,
  (inner) => `echo $\\\n(${inner})`,
  (inner) => `echo $(# )\n${inner})`,
  (inner) => `echo $((${inner}) )`,
  (inner) => `echo $[ $(${inner}) ]`,
  (inner) => `echo \${x/a/$(${inner})}\${x:$(${inner})}`,
  (inner) => `echo \${##$(${inner})}\${#+$(${inner})}`,
  (inner) => `echo {a,"$(${inner})"}`,
  (inner) => `x='$(${inner})'; echo "\${x@P}"`,
  (inner) => `x='a[$(${inner})]'; [[ x -eq 1 ]]; echo $((x)); test -v "$x"`,
  (inner) => `x='a[$(${inner})]'; printf -v "$x" y; read "$x" <<< y; unset "$x"`,
  (inner, other) => `function f { ${other}; }; ${inner}; f`,
  (inner, other) => `payload() { ${other}; }; ${inner}`,
  (inner, other) => `for i in 1 2; do ${inner}; ${other}; done`,
  (inner, other) => `while read -r p; do ${inner}; ${other}; done <<< payload`,
  (inner, other) => `case a in a) ${other};;& $(${inner})) ${other};; *) ${inner};; esac`,
  (inner, other) => `${other}; echo $((1/0)); ${other}\n${inner}`,
  (inner) => `{ read -r -n3 x; bash; } <<< '${`ls ${inner}`.replaceAll("'", `'\\''`)}'`,
  (inner) => `FOO=payload eval '${inner.replaceAll("'", `'\\''`)}'`,
  (inner) => `coproc ${inner}`,
  (inner) => `time -p ! ${inner}`,
];

function composed(random: Random): string {
  let script = random() < 0.5 ? pick(random, payloads) : pick(random, harmless);
  const depth = 1 + Math.floor(random() * 4);
  for (let level = 0; level < depth; level += 1) {
    script = pick(random, frames)(script, pick(random, harmless));
  }
  return random() < 0.2 ? `p=payload; ${script}` : script;
}

const corpus = ["planner", "implementation"].flatMap((mode) =>
  readFileSync(join(import.meta.dirname, "corpus", `${mode}.jsonl`), "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => (JSON.parse(line) as { command: string }).command)
    // Programs that would do harm if they were allowed by mistake; `kill` is part of the shell.
    .filter((command) => !/kill|\/s?bin\/|mkfs|shutdown|reboot|ulimit|fork|:\(\)/.test(command))
    .map((command) => command.replaceAll(/\brm\b/g, "payload").replaceAll(/\bevil\b/g, "payload")),
);

/** A script with something put in, taken out or exchanged. */
function mutated(random: Random, script: string): string {
  const at = Math.floor(random() * (script.length + 1));
  const choice = random();
  if (choice < 0.4) return script.slice(0, at) + pick(random, pieces) + script.slice(at);
  if (choice < 0.7) return script.slice(0, at) + script.slice(at + 1 + Math.floor(random() * 3));
  const other = pick(random, corpus);
  const cut = Math.floor(random() * (other.length + 1));
  return script.slice(0, at) + other.slice(cut);
}

/** Any script: composed of frames, or a command of the corpus, changed a little or not at all. */
export function randomScript(random: Random): string {
  let script = random() < 0.6 ? composed(random) : pick(random, corpus);
  const changes = random() < 0.4 ? 0 : 1 + Math.floor(random() * 3);
  for (let change = 0; change < changes; change += 1) script = mutated(random, script);
  return script;
}
