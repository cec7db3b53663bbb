import {
  hasGlob,
  knownStart,
  literalText,
  type ShellWord,
  wordFromText,
} from "../shell/shell-word.ts";
import { flowOf } from "../shell/state.ts";
import { type Call, found, type Program, readsTree } from "./call.ts";
import {
  type ArgumentKind,
  optionTable,
  parseCall,
  type ParsedCall,
  reportOperands,
  reportOptions,
} from "./option.ts";

/** Programs that only read: their names, options and operands. */
interface Reader {
  readonly options: string;
  /** The roles of the operands, in order; the last one for all that follow. */
  readonly operands: readonly ArgumentKind[];
  /** Options after which the first operand is not a pattern any more. */
  readonly patternOptions?: readonly string[];
  /** Passes paths on that it gets as input, unless one of these options is given. */
  readonly passesPathsUnless?: readonly string[];
  readonly check?: (call: Call, parsed: ParsedCall) => void;
  /** Whether its output is a list of paths inside the roots. */
  readonly printsPaths?: (parsed: ParsedCall) => boolean;
}

export function hasOption({ options }: ParsedCall, ...names: readonly string[]): boolean {
  return options.some(({ name }) => names.includes(name));
}

export function readerProgram(reader: Reader): Program {
  const table = optionTable(reader.options);
  return (call) => {
    const parsed = parseCall(call.args, table);
    reportOptions(call, parsed, table);
    const skips = reader.patternOptions && hasOption(parsed, ...reader.patternOptions);
    const kinds = skips ? reader.operands.slice(1) : reader.operands;
    reportOperands(call, parsed.operands, kinds);
    reader.check?.(call, parsed);
    found(call, "inspect", `${call.name} only reads`);
    const given = call.input.type === "pipe" ? call.input.places : undefined;
    const passes =
      reader.passesPathsUnless !== undefined &&
      parsed.operands.length <= (skips || reader.operands.length === 1 ? 0 : 1) &&
      !hasOption(parsed, ...reader.passesPathsUnless);
    const places = reader.printsPaths?.(parsed) === true ? ["."] : passes ? given : undefined;
    return places ? { ...flowOf(call.state), places } : undefined;
  };
}

const read: readonly ArgumentKind[] = ["read"];
const text: readonly ArgumentKind[] = ["text"];

const grepChanges = [
  "o",
  "only-matching",
  "c",
  "count",
  "n",
  "line-number",
  "b",
  "byte-offset",
  "H",
];

const grep: Reader = {
  options:
    "e: f:read m: A: B: C: D: d: regexp: file:read max-count: after-context: before-context: context: include: exclude: exclude-dir: exclude-from:read label: binary-files: directories: devices: group-separator: color:attached colour:attached *",
  operands: ["text", "read"],
  patternOptions: ["e", "f", "regexp", "file"],
  passesPathsUnless: grepChanges,
  printsPaths: (parsed) => hasOption(parsed, "l", "L", "files-with-matches", "files-without-match"),
  check: (call, parsed) => {
    const isTree =
      hasOption(parsed, "r", "R", "recursive", "dereference-recursive") ||
      parsed.options.some(
        ({ name, value }) => /^d(?:irectories)?$/.test(name) && literalText(value) !== "skip",
      );
    const files = filesOf(parsed, grep);
    if (isTree) readsTrees(call, files, hasOption(parsed, "R", "dereference-recursive"));
  },
};

/** The operands that are files where the first may be a pattern. */
function filesOf(parsed: ParsedCall, { patternOptions = [] }: Reader): readonly ShellWord[] {
  return hasOption(parsed, ...patternOptions) ? parsed.operands : parsed.operands.slice(1);
}

function readsTrees(call: Call, places: readonly ShellWord[], followsLinks: boolean): void {
  for (const place of places) readsTree(call, place, followsLinks);
  if (places.length === 0) readsTree(call, wordFromText("."), followsLinks);
}

const ripgrep: Reader = {
  options:
    "e: f:read g: t: T: A: B: C: m: M: j: d: E: r: i s S w x v n N H I l c o q F U P L u a b p # . regexp: file:read glob: iglob: type: type-not: type-add: after-context: before-context: context: max-count: max-columns: max-depth: maxdepth: max-filesize: threads: sort: sortr: color: colors: encoding: replace: context-separator: field-match-separator: ignore-file:read ignore-case smart-case case-sensitive word-regexp line-regexp line-number no-line-number files-with-matches files-without-match count count-matches include-zero only-matching fixed-strings no-fixed-strings multiline multiline-dotall pcre2 auto-hybrid-regex follow hidden no-hidden no-ignore no-ignore-vcs no-ignore-parent no-ignore-global no-ignore-dot unrestricted heading no-heading json vimgrep column no-column stats trim null files type-list passthru passthrough no-messages no-filename with-filename text binary invert-match one-file-system no-config quiet pretty byte-offset crlf null-data block-buffered line-buffered no-unicode no-pre glob-case-insensitive max-columns-preview engine: version help",
  operands: ["text", "read"],
  patternOptions: ["e", "f", "regexp", "file", "files", "type-list"],
  passesPathsUnless: [...grepChanges, "r", "replace"],
  printsPaths: (parsed) =>
    hasOption(parsed, "l", "files-with-matches", "files-without-match", "files") &&
    !hasOption(parsed, "r", "replace"),
  check: (call, parsed) => {
    const files = filesOf(parsed, ripgrep);
    const readsInput = files.length === 0 && call.input.type !== "inherited";
    if (readsInput || hasOption(parsed, "files", "type-list")) return;
    readsTrees(call, files, hasOption(parsed, "L", "follow"));
  },
};

const readers: Readonly<Record<string, Reader>> = {
  "cat tac nl rev": {
    options: "b: d: f: h: i: l: s: v: w: r: separator: regex: body-numbering: *",
    operands: read,
  },
  "md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum sum": {
    options: "b t z l: a: r s binary text tag zero length: algorithm: raw base64 sysv",
    operands: read,
  },
  "ls dir vdir": {
    options:
      "I: w: T: ignore: hide: width: tabsize: block-size: color:attached format: sort: time: time-style: quoting-style: indicator-style: *",
    operands: read,
    printsPaths: (parsed) => !hasOption(parsed, "l", "s", "i", "F", "p", "Q", "classify"),
  },
  "eza exa lsd": {
    options:
      "l a 1 R T L: d r s: h S t: G x F D I: long all oneline recurse tree level: sort: reverse git icons header group-directories-first git-ignore ignore-glob: color:attached only-dirs only-files",
    operands: read,
  },
  "head tail": {
    options: "n: c: s: lines: bytes: pid: sleep-interval: max-unchanged-stats: follow:attached *",
    operands: read,
    passesPathsUnless: ["c", "bytes", "v", "verbose"],
  },
  wc: { options: "files0-from:names *", operands: read },
  stat: { options: "c: format: printf: *", operands: read },
  file: {
    options:
      "b i L h k s r E 0 f:names F: e: P: brief mime mime-type mime-encoding dereference no-dereference keep-going raw files-from:names separator: print0",
    operands: read,
  },
  du: {
    options:
      "d: t: B: X:read max-depth: threshold: block-size: exclude: exclude-from:read files0-from:names time:attached time-style: *",
    operands: read,
  },
  df: { options: "B: t: x: block-size: type: exclude-type: output:attached *", operands: read },
  tree: {
    options:
      "a d f i l p s h u g D t r C n A S x F U v c J X Q q N L: P: I: T: filelimit: dirsfirst filesfirst noreport charset: gitignore prune matchdirs ignore-case du si inodes device metafirst sort: timefmt: help version",
    operands: read,
  },
  cut: {
    options: "b: c: d: f: bytes: characters: delimiter: fields: output-delimiter: *",
    operands: read,
  },
  tr: { options: "*", operands: text },
  sort: {
    options:
      "b d f g h i M n R r V c C m s u z k: t: S: key: field-separator: buffer-size: parallel: batch-size: sort: files0-from:names random-source:read o:write output:write ignore-leading-blanks dictionary-order ignore-case general-numeric-sort ignore-nonprinting month-sort human-numeric-sort numeric-sort random-sort reverse version-sort check:attached merge stable unique zero-terminated debug help version",
    operands: read,
    passesPathsUnless: [],
  },
  uniq: {
    options: "f: s: w: skip-fields: skip-chars: check-chars: *",
    operands: ["read", "write"],
    passesPathsUnless: ["c", "count"],
  },
  "fold expand unexpand": { options: "w: t: width: tabs: *", operands: read },
  paste: { options: "d: delimiters: *", operands: read },
  join: { options: "1: 2: a: e: j: o: t: v: *", operands: read },
  comm: { options: "output-delimiter: *", operands: read },
  cmp: { options: "i: n: ignore-initial: bytes: *", operands: ["read", "read", "text"] },
  diff: {
    options:
      "U: C: I: x: X:read L: W: S: F: D: unified:attached context:attached label: width: exclude: exclude-from:read starting-file: from-file:read to-file:read ignore-matching-lines: show-function-line: color:attached tabsize: *",
    operands: read,
    check: (call, parsed) => {
      if (hasOption(parsed, "r", "recursive")) readsTrees(call, parsed.operands, true);
    },
  },
  "grep egrep fgrep zgrep zegrep zfgrep bzgrep xzgrep": grep,
  rg: ripgrep,
  column: {
    options: "c: s: o: N: n: H: R: T: O: W: output-separator: separator: table-columns: *",
    operands: read,
  },
  "od hexdump hd": {
    options:
      "A: j: N: S: t: w:attached e: f:read n: s: address-radix: skip-bytes: read-bytes: format: *",
    operands: read,
  },
  xxd: {
    options:
      "a b C c: cols: d e E g: groupsize: i l: len: n: o: p ps plain s: seek: u v version h help R:",
    operands: ["read", "write"],
  },
  strings: {
    options: "n: t: e: s: bytes: radix: encoding: a f w all print-file-name #",
    operands: read,
    check: (call, { operands }) => {
      const isFile = (word: ShellWord): boolean =>
        hasGlob(word) || knownStart(word).startsWith("@");
      if (operands.some(isFile)) found(call, "opaque", "strings reads what @file names");
    },
  },
  "base64 base32": { options: "w: wrap: *", operands: read },
  "zcat gzcat bzcat xzcat zstdcat": { options: "f q v", operands: read },
  "basename dirname realpath readlink": {
    options: "s: suffix: relative-to: relative-base: *",
    operands: text,
  },
  "which whereis type": { options: "*", operands: text },
  "echo seq expr factor yes": { options: "*", operands: text },
  "true false : uptime nproc arch whoami logname users groups id uname tty sync": {
    options: "*",
    operands: text,
  },
  ps: { options: "*", operands: text, check: checkPs },
  "pgrep free vmstat lscpu lsblk lsusb lspci w who last locale getconf cal": {
    options: "*",
    operands: text,
  },
  "lsof ss netstat": {
    options: "i:attached p t n u l a r s e x P c 4 6 tcp udp listening numeric processes all",
    operands: text,
  },
  sleep: { options: "", operands: text },
  hostname: {
    options: "f i I s d A fqdn all-ip-addresses short domain ip-address",
    operands: text,
    check: (call, { operands }) => {
      if (operands.length > 0) found(call, "process", "it renames the machine");
    },
  },
  date: {
    options:
      "u d: r:read R I:attached f:read utc universal date: reference:read rfc-3339: iso-8601:attached rfc-email file:read",
    operands: text,
    check: (call, { operands }) => {
      const isFormat = operands.every((word) => literalText(word)?.startsWith("+") === true);
      if (!isFormat)
        found(call, "opaque", "an operand of date other than a format may set the clock");
    },
  },
  "cloc tokei scc": {
    options: "json quiet by-file vcs: exclude-dir: include-lang: sort: s: f: files",
    operands: read,
  },
  tput: { options: "", operands: text },
  jq: {
    options:
      "r c s n e S a M C j R arg:pair argjson:pair indent: tab raw-output compact-output slurp null-input exit-status sort-keys ascii-output join-output raw-input monochrome-output color-output stream seq args jsonargs slurpfile:pair rawfile:pair version f:read from-file:read",
    operands: ["text", "read"],
    patternOptions: ["f", "from-file"],
    check: checkJq,
  },
};

/** Letters without a dash are options of BSD; `e` among them shows the environment of each process. */
function checkPs(call: Call): void {
  const texts = call.args.map((word) => literalText(word) ?? "e");
  const isValue = (index: number): boolean => /^-[A-Za-z]*[oCpuU]$/.test(texts[index - 1] ?? "");
  const shows = (word: string, index: number): boolean =>
    /^(?:[A-Za-z]*e|-[A-Za-z]*[ux][A-Za-z]*e)/.test(word) && !isValue(index);
  if (texts.some(shows)) found(call, "secret", "the environment of processes may hold secrets");
}

function checkJq(call: Call, parsed: ParsedCall): void {
  const isFile = hasOption(parsed, "f", "from-file");
  const program = literalText(parsed.operands[0]) ?? "";
  if (
    isFile ||
    /\benv\b|\$ENV|\$__prog|\b(?:import|include|input_filename|get_search_list)\b/.test(program)
  ) {
    found(call, "opaque", "the jq program reads more than its input");
  }
}

const printenv: Program = (call) => {
  const names = call.args.map(literalText);
  const isPlain =
    names.length > 0 && names.every((name) => name !== undefined && /^[A-Z_]+$/.test(name));
  const hasSecret = names.some((name) => /KEY|TOKEN|SECRET|PASS|CREDENTIAL|AUTH/.test(name ?? ""));
  if (!isPlain || hasSecret) found(call, "secret", "the environment may hold secrets");
  else found(call, "inspect", "prints a variable");
  return undefined;
};

export const readerPrograms: ReadonlyMap<string, Program> = new Map([
  ...Object.entries(readers).flatMap(([names, reader]) => {
    const program = readerProgram(reader);
    return names.split(" ").map((name): [string, Program] => [name, program]);
  }),
  ["printenv", printenv],
]);
