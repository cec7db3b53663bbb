/** Facts about what happened: names, numbers, codes; never what people or agents said, and no secrets. */
export type LogFacts = Readonly<Record<string, unknown>>;

type Log = (facts: LogFacts, message: string) => void;

/** Where a server reports what it does, for whoever runs it. A pino logger is one. */
export interface Logger {
  readonly debug: Log;
  readonly info: Log;
  readonly warn: Log;
  readonly error: Log;
}

const nothing = (): void => undefined;

export const silentLogger: Logger = {
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
};
