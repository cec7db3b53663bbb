import { clientContract } from "@turnwire/conformance";
import { afterAll, beforeAll, describe } from "vitest";
import { hasPython, program, startServer, token } from "./test-support/python.ts";

describe.skipIf(!hasPython)("the Python client", () => {
  let server: Awaited<ReturnType<typeof startServer>>;
  beforeAll(async () => {
    server = await startServer();
  });
  afterAll(() => server.close());

  clientContract("the Python client", () => ({
    client: { command: "python3", args: [program("check.py")] },
    server: { url: server.url, token },
  }));
});
