import { expect, test } from "vitest";
import { runtimeProgram } from "./support/runtime-program.ts";
import { readInRuntime } from "./support/runtime-reading.ts";

const options = {
  bun: ["run"],
  deno: ["run", "--allow-all", "--no-config"],
} as const;

const runs = (["bun", "deno"] as const).flatMap((name) =>
  (["auto", "websocket"] as const).map((transport) => ({ name, transport })),
);

test.each(runs)(
  "the client in $name reads on through cuts and a server that dies in mid-turn, with transport $transport",
  async ({ name, transport }) => {
    const command = [runtimeProgram(name), ...options[name]] as const;
    const { found, expected } = await readInRuntime({ name, command, transport });
    expect(found).toEqual(expected);
  },
);
