import type { Logger } from "@turnwire/base";
import { pino } from "pino";
import type { OutputStream } from "../terminal/stream.ts";
import { formatFor } from "../terminal/format.ts";
import type { LogLevel } from "../option/option-table.ts";
import type { Redactor } from "./redact.ts";
import { terminalLine } from "./terminal-line.ts";

export interface LoggerOptions {
  readonly level: LogLevel;
  readonly output: OutputStream;
  readonly env: NodeJS.ProcessEnv;
  readonly redactor: Redactor;
}

/** The log of a server: lines for a person on a terminal, JSON everywhere else. */
export function createLogger({ level, output, env, redactor }: LoggerOptions): Logger {
  const { colors } = formatFor(output, env);
  const write = (line: string): void => {
    output.write(output.isTTY ? `${terminalLine(line, colors)}\n` : line);
  };
  return pino(
    {
      level,
      base: null,
      formatters: { log: (facts) => redactor.value(facts) as Record<string, unknown> },
      hooks: {
        logMethod([facts, message], method) {
          method.apply(this, [facts, redactor.text(message ?? "")]);
        },
      },
    },
    { write },
  );
}
