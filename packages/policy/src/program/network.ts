import { hostOf } from "../network-target.ts";
import { knownStart, literalText, type ShellWord } from "../shell/shell-word.ts";
import { type Call, found, type Program, reads } from "./call.ts";
import { optionTable, parseCall, reportOptions } from "./option.ts";

const curlOptions = optionTable(
  "s S f i I L v k g G q N # 0 1 2 4 6 X: H: d: A: e: m: u: b: w: r: o:write retry: silent show-error fail fail-with-body include head location verbose insecure globoff get no-buffer request: header: data: data-raw: data-urlencode: json: user-agent: referer: max-time: connect-timeout: user: cookie: write-out: range: output:write retry-delay: retry-max-time: compressed http1.1 http2 ipv4 ipv6 no-progress-meter url:",
);

/** Values that curl reads from a file; a cookie without a sign is the name of one. */
function checkData(call: Call, name: string, value: ShellWord): void {
  const start = knownStart(value);
  const isNamed = name === "data-urlencode" && /^[^=@]+@/.test(start);
  const isCookieFile = /^(?:b|cookie)$/.test(name) && !start.includes("=");
  if (isNamed || isCookieFile) found(call, "opaque", "what is sent comes from a file");
  if (start.startsWith("@")) reads(call, { pieces: [{ type: "text", text: start.slice(1) }] });
  else if (literalText(value) === undefined)
    found(call, "opaque", "what is sent is known only when it runs");
}

const curl: Program = (call) => {
  const parsed = parseCall(call.args, curlOptions);
  reportOptions(call, parsed, curlOptions);
  const urls = parsed.options.flatMap(({ name, value }) =>
    name === "url" && value ? [value] : [],
  );
  const targets = [...parsed.operands, ...urls];
  if (targets.length === 0 && parsed.options.every(({ name }) => name !== "version")) {
    found(call, "opaque", "curl has no address");
  }
  for (const { name, value } of parsed.options) {
    if (value && /^(?:w|write-out)$/.test(name) && /^@|%output/.test(literalText(value) ?? "@")) {
      found(call, "opaque", "its output format reads or writes files");
    }
    if (value && /^(?:d|data.*|json|H|header|b|cookie)$/.test(name)) checkData(call, name, value);
  }
  for (const target of targets) {
    const text = literalText(target);
    const isPlain =
      text !== undefined &&
      !/[{}[\]]/.test(text) &&
      !/^(?:file|scp|sftp|smb|telnet|gopher|dict|ldap):/i.test(text);
    call.walk.report({
      type: "network",
      host: isPlain ? hostOf(text) : undefined,
      subject: call.subject,
    });
  }
  return undefined;
};

export const networkPrograms: ReadonlyMap<string, Program> = new Map<string, Program>([
  ["curl", curl],
]);
