const HIDDEN = "[redacted]";

/** Names of variables whose values are secrets. */
const secretName = /KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIAL/i;
/** A shorter value would hide ordinary words. */
const SHORTEST = 8;

const patterns: readonly (readonly [RegExp, string])[] = [
  [
    /\b((?:proxy-)?authorization|(?:set-)?cookie|x-api-key|x-turnwire-[\w-]+)(["']?\s*[:=]\s*)[^\r\n]+/gi,
    `$1$2${HIDDEN}`,
  ],
  [/\b(postgres(?:ql)?:\/\/[^\s:@/]*):\S+@/gi, `$1:${HIDDEN}@`],
  [/\b(bearer|basic)\s+[\w.~+/=-]{6,}/gi, `$1 ${HIDDEN}`],
  [/\bsk-[\w-]{6,}/g, HIDDEN],
  [/(\/login\/)[\w%.~-]+/g, `$1${HIDDEN}`],
  [/((?:https?:\/\/|\/)[^\s?"'<>]*)\?[^\s"'<>]+/g, `$1?${HIDDEN}`],
  [/\b([\w-]*(?:key|token|secret|password|cookie))=[^\s&"';]+/gi, `$1=${HIDDEN}`],
];

/** Takes secrets out of what is logged: known values wherever they stand, and what looks like one. */
export class Redactor {
  readonly #secrets = new Set<string>();

  constructor(env: Readonly<Record<string, string | undefined>> = {}) {
    for (const [name, value] of Object.entries(env)) if (secretName.test(name)) this.add(value);
  }

  /** A value that must never be seen. */
  add(secret: string | undefined): void {
    if (secret !== undefined && secret.length >= SHORTEST) this.#secrets.add(secret);
  }

  text(text: string): string {
    let safe = text;
    for (const secret of this.#secrets) safe = safe.replaceAll(secret, HIDDEN);
    for (const [pattern, replacement] of patterns) safe = safe.replace(pattern, replacement);
    return safe;
  }

  /** The same for all texts in a value, however deep; errors become plain data. */
  value(value: unknown, depth = 0): unknown {
    if (typeof value === "string") return this.text(value);
    if (value === null || typeof value !== "object") return value;
    if (depth > 5) return "…";
    if (value instanceof Error) return this.#error(value, depth);
    if (Array.isArray(value)) return value.map((item) => this.value(item, depth + 1));
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [
        name,
        secretName.test(name) ? HIDDEN : this.value(item, depth + 1),
      ]),
    );
  }

  #error(error: Error, depth: number): unknown {
    const { name, message, stack, cause } = error;
    const code = "code" in error ? error.code : undefined;
    return {
      name,
      message: this.text(message),
      ...(typeof code === "string" && { code }),
      ...(stack !== undefined && { stack: this.text(stack) }),
      ...(cause !== undefined && { cause: this.value(cause, depth + 1) }),
    };
  }
}
