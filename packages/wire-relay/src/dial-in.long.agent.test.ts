import { createMemoryStore } from "@turnwire/log";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, inject, onTestFinished, test } from "vitest";
import { useClaudePlace } from "../../runtime-claude/src/test-support/claude-place.ts";
import { claudeCli } from "@turnwire/runtime-claude";
import { childEnvironment } from "@turnwire/runtime/process";
import { ofType, prompt, type RelayLine, startRelay } from "./test-support/relay-client.ts";
import { isStored } from "./test-support/two-relays.ts";
import { testToken } from "../../server/src/4-transport/test-support/running-server.ts";

const place = useClaudePlace();
const { path: diallingCli, problem } = inject("diallingCli");

/** The CLI as a person starts it in a terminal, with the relay's address. */
function dial(relayUrl: string) {
  const args = ["--print", "--verbose", "--output-format=stream-json"];
  const child = spawn(
    diallingCli,
    [...args, "--input-format=stream-json", "--sdk-url", relayUrl, "-p", ""],
    {
      cwd: place.cwd,
      env: childEnvironment(["PATH", "CLAUDE_CONFIG_DIR"], {
        ...place.env,
        CLAUDE_CODE_SESSION_ACCESS_TOKEN: testToken,
      }),
      stdio: ["pipe", "ignore", "ignore"],
    },
  );
  onTestFinished(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGKILL");
    await once(child, "exit");
  });
  return child;
}

function startPlace(store = createMemoryStore(), port = 0) {
  return startRelay({
    relay: { port },
    hostOptions: {
      store,
      runtimes: [claudeCli({ env: place.env })],
      defaultRuntime: "claude-cli",
      roots: [place.cwd],
    },
  });
}

const isAsk = (line: RelayLine): boolean =>
  ofType("control_request")(line) && (line["request"] as RelayLine)["subtype"] === "can_use_tool";

/** The answer of a front end, in the form that the CLI itself does not understand. */
function allowing({ request_id }: RelayLine): RelayLine {
  return { type: "control_response", request_id, permission: { allow: true } };
}

test.skipIf(problem !== undefined)(
  `the real CLI 2.1.120 dials in and works a turn with a permission${problem ? `: ${problem}` : ""}`,
  async () => {
    const relay = await startPlace();
    const frontEnd = await relay.frontEnd();
    dial(relay.relayUrl);
    await frontEnd.line(ofType("status", { text: "claude code connected" }));
    frontEnd.send(prompt("SCENARIO:tool touch dialled.txt"));
    frontEnd.send(allowing(await frontEnd.line(isAsk)));
    expect(await frontEnd.line(ofType("result"))).toMatchObject({ is_error: false });
    expect(existsSync(join(place.cwd, "dialled.txt"))).toBe(true);
    expect(relay.errors).toEqual([]);
  },
);

test.skipIf(problem !== undefined)(
  `the real CLI 2.1.120 is asked by the relay after the one that it dialled is gone${problem ? `: ${problem}` : ""}`,
  async () => {
    const store = createMemoryStore();
    const first = await startPlace(store);
    const earlier = await first.frontEnd();
    dial(first.relayUrl);
    await earlier.line(ofType("status", { text: "claude code connected" }));
    earlier.send(prompt("SCENARIO:tool touch survived.txt"));
    const asked = await earlier.line(isAsk);
    await isStored(first, { asks: true });
    await first.server.close();
    const second = await startPlace(store, Number(new URL(first.relayUrl).port));
    const later = await second.frontEnd();
    // From the log it has the name of its session too.
    expect(await later.line(isAsk)).toEqual({ ...asked, session_id: expect.any(String) });
    await later.line(ofType("status", { text: "claude code connected" }));
    later.send(allowing(asked));
    expect(await later.line(ofType("result"))).toMatchObject({ is_error: false });
    expect(existsSync(join(place.cwd, "survived.txt"))).toBe(true);
    later.send(prompt("SCENARIO:text and again"));
    await later.until(() => later.lines.filter(ofType("result")).length === 2);
  },
);
