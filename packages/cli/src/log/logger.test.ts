import { PassThrough } from "node:stream";
import { describe, expect, test } from "vitest";
import { createLogger } from "./logger.ts";
import type { LogLevel } from "../option/option-table.ts";
import { Redactor } from "./redact.ts";

interface LogOptions {
  readonly isTTY?: boolean;
  readonly level?: LogLevel;
}

function openLog({ isTTY = false, level = "info" }: LogOptions = {}) {
  const output = Object.assign(new PassThrough(), { isTTY });
  const redactor = new Redactor();
  redactor.add("canary-token");
  const env = { NO_COLOR: "1" };
  const logger = createLogger({ level, output, env, redactor });
  return { logger, text: () => String(output.read() ?? "") };
}

describe("the log of a server", () => {
  test("is one JSON object per line in a pipe, without secrets", () => {
    const { logger, text } = openLog();
    logger.warn({ status: 401, note: "canary-token" }, "refused canary-token");
    logger.error({ error: new Error("canary-token broke") }, "failure");
    const lines = text().trimEnd().split("\n");
    expect(lines.map((line): unknown => JSON.parse(line))).toMatchObject([
      { level: 40, status: 401, note: "[redacted]", msg: "refused [redacted]" },
      { level: 50, error: { message: "[redacted] broke" }, msg: "failure" },
    ]);
  });

  test("is readable on a terminal, and cannot control it", () => {
    const { logger, text } = openLog({ isTTY: true });
    logger.info({ session: "s1", status: "live" }, "session status");
    logger.error({ error: new Error("broken \u001B[2Jhere") }, "failure");
    const shown = text();
    expect(shown).toMatch(/^\d\d:\d\d:\d\d info {2}session status session=s1 status=live\n/);
    expect(shown).toMatch(/error failure\n {2}Error: broken/);
    expect(shown).not.toContain("\u001B");
  });

  test("leaves out what is below its level", () => {
    const { logger, text } = openLog({ level: "warn" });
    logger.info({}, "unheard");
    logger.debug({}, "unheard");
    expect(text()).toBe("");
    const silent = openLog({ level: "silent" });
    silent.logger.error({}, "unheard");
    expect(silent.text()).toBe("");
  });
});
