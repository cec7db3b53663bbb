import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { hasPython, program, startServer, token } from "./test-support/python.ts";

test.skipIf(!hasPython)(
  "the Python client folds every kind of turn to the state of the server's snapshot",
  async () => {
    const { url, close } = await startServer();
    onTestFinished(close);
    const env = { ...process.env, TURNWIRE_URL: url, TURNWIRE_TOKEN: token };
    const { stderr } = await promisify(execFile)("python3", [program("check_fold.py")], { env });
    expect(stderr).toBe("");
  },
);
