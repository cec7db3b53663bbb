import { joinWords, lastName } from "../location.ts";
import { fills } from "../shell/path-report.ts";
import { knownStart, literalText, mayBeOption, type ShellWord } from "../shell/shell-word.ts";
import { type Call, found, type Program, reads, readsTree, writes, writesInto } from "./call.ts";
import {
  optionTable,
  type OptionTable,
  parseCall,
  type ParsedCall,
  reportOptions,
} from "./option.ts";
import { hasOption } from "./reader.ts";

const copyOptions = optionTable(
  "a r R f i n u v p P L d H T x l s t:write b S: archive recursive force interactive no-clobber update:attached verbose preserve:attached no-dereference dereference no-target-directory target-directory:write one-file-system link symbolic-link backup:attached suffix: reflink:attached sparse: debug",
);
const moveOptions = optionTable(
  "f i n u v T t:write b S: force interactive no-clobber update:attached verbose no-target-directory target-directory:write strip-trailing-slashes backup:attached suffix:",
);
/** No option of rm does more than delete; a glob may become one of them. */
const removeOptions = optionTable(
  "* f i I r R d v force interactive:attached recursive dir verbose one-file-system preserve-root:attached",
);
const linkOptions = optionTable(
  "s f n v i r T t:write b L P symbolic force no-dereference verbose interactive relative no-target-directory target-directory:write",
);

interface Transfer {
  readonly sources: readonly ShellWord[];
  readonly target: ShellWord | undefined;
}

/** Which operands are sources and which is the target, also with `-t`. */
function transferOf(call: Call, table: OptionTable): Transfer & { readonly parsed: ParsedCall } {
  const parsed = parseCall(call.args, table);
  reportOptions(call, parsed, table);
  const given = parsed.options.find(
    ({ name }) => name === "t" || name === "target-directory",
  )?.value;
  const { operands } = parsed;
  return given
    ? { parsed, sources: operands, target: given }
    : { parsed, sources: operands.slice(0, -1), target: operands.at(-1) };
}

/** The target itself, and what would be in it if it is a directory. */
function writesTarget(call: Call, { sources, target }: Transfer): void {
  if (!target) {
    found(call, "opaque", `${call.name} has no target`);
    return;
  }
  writes(call, target);
  for (const source of sources) {
    const name = lastName(source);
    if (!name || /(?:^|\/)\.{0,2}\/?$/.test(literalText(source) ?? "x")) {
      // The names of what comes into the target are not known.
      call.walk.report({ type: "path", access: "write", subject: call.subject });
    } else writesInto(call, joinWords(target, name));
  }
}

const copy: Program = (call) => {
  const transfer = transferOf(call, copyOptions);
  const isTree = hasOption(transfer.parsed, "r", "R", "a", "recursive", "archive");
  const followsLinks = hasOption(transfer.parsed, "L", "H", "dereference");
  for (const source of transfer.sources) {
    if (isTree) readsTree(call, source, followsLinks);
    else reads(call, source);
  }
  writesTarget(call, transfer);
  if (isTree && transfer.target) fills(call, transfer.target);
  if (hasOption(transfer.parsed, "T", "no-target-directory")) {
    // The entries of the source come into the target itself.
    call.walk.report({ type: "path", access: "write", subject: call.subject });
  }
  if (hasOption(transfer.parsed, "l", "s", "link", "symbolic-link")) {
    for (const source of transfer.sources) writes(call, source);
  }
  return undefined;
};

const move: Program = (call) => {
  const transfer = transferOf(call, moveOptions);
  for (const source of transfer.sources) {
    // Under another name it could be read.
    reads(call, source);
    writes(call, source, true);
  }
  writesTarget(call, transfer);
  if (transfer.target) fills(call, transfer.target);
  return undefined;
};

/** A link lets one write where it leads: both ends count as written. */
const link: Program = (call) => {
  const { sources, target, parsed } = transferOf(call, linkOptions);
  const all = sources.length > 0 ? sources : parsed.operands;
  for (const source of all) {
    reads(call, source);
    writes(call, source, true);
    const text = literalText(source);
    const directory = target && literalText(target);
    const isRelative = text !== undefined && !text.startsWith("/");
    if (isRelative && directory !== undefined && directory.includes("/")) {
      // A relative link is read from where it is put.
      const parent = directory.replace(/[^/]*$/, "");
      writes(call, { pieces: [{ type: "text", text: `${parent}${text}` }] }, true);
      writes(call, { pieces: [{ type: "text", text: `${directory}/${text}` }] }, true);
    } else if (isRelative && text.includes("..")) {
      found(call, "opaque", "a link with .. may lead anywhere");
    }
  }
  writesTarget(call, { sources: all, target });
  if (target) fills(call, target);
  return undefined;
};

const remove: Program = (call) => {
  const parsed = parseCall(call.args, removeOptions);
  reportOptions(call, parsed, removeOptions);
  const isRecursive = hasOption(parsed, "r", "R", "recursive");
  if (hasOption(parsed, "no-preserve-root")) found(call, "discard", "it may delete everything");
  for (const operand of parsed.operands) writes(call, operand, isRecursive || mayBeOption(operand));
  if (parsed.operands.length === 0) found(call, "opaque", "rm has no file");
  return undefined;
};

/** A program that writes all its operands. */
function writer(options: string): Program {
  const table = optionTable(options);
  return (call) => {
    const parsed = parseCall(call.args, table);
    reportOptions(call, parsed, table);
    for (const operand of parsed.operands) writes(call, operand);
    if (parsed.operands.length === 0) found(call, "opaque", `${call.name} has no file`);
    return undefined;
  };
}

/** A program that writes what its operands hold by another name. */
function packer(options: string): Program {
  const write = writer(options);
  return (call) => {
    for (const word of call.args) if (!knownStart(word).startsWith("-")) reads(call, word);
    return write(call);
  };
}

const temporary: Program = (call) => {
  found(call, "opaque", "mktemp creates a file outside the roots");
  return undefined;
};

/** Only lists; where unpacking would write is known only to the archive. */
const tar: Program = (call) => {
  const [flags, archive, ...more] = call.args;
  const isList = more.length === 0 && /^-?t[zjJZv]*f$/.test(literalText(flags) ?? "");
  // A name with a colon is one of another machine.
  if (isList && archive && literalText(archive)?.includes(":") === false) reads(call, archive);
  else found(call, "opaque", "what tar reads and writes is not known");
  return undefined;
};

export const fileChangePrograms: ReadonlyMap<string, Program> = new Map<string, Program>([
  ["cp", copy],
  ["mv", move],
  ["ln", link],
  ["rm", remove],
  ["unlink", writer("")],
  ["rmdir", writer("p v parents verbose ignore-fail-on-non-empty")],
  ["mkdir", writer("p v m: parents verbose mode:")],
  ["touch", writer("a m c h d: t: r:read no-create date: time: reference:read no-dereference")],
  ["tee", writer("a i p append ignore-interrupts")],
  ["truncate", writer("s: c r:read size: no-create reference:read")],
  ["gzip", packer("k f 1 2 3 4 5 6 7 8 9 n v keep force best fast verbose")],
  ["gunzip", packer("k f v keep force verbose")],
  ["mktemp", temporary],
  ["tar", tar],
]);
