import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { RunMachine } from "../test-support/run-machine.ts";

let machine: RunMachine;

beforeEach(async () => {
  machine = await RunMachine.create();
});

afterEach(() => machine.remove());

describe("a signal", () => {
  test("stops the turn; the session can be used again", async () => {
    machine.says.work = () => undefined;
    const running = machine.start(["run", "Never ends", "--output-format", "json"]);
    await expect.poll(() => machine.worker.prompts.length).toBe(1);
    running.signal("SIGINT");
    expect(await running.exited).toBe(130);
    expect(running.exits).toEqual([]);
    expect(JSON.parse(running.stdout.text)).toMatchObject({ outcome: "stopped" });
    expect(await machine.sessions()).toMatchObject([{ activity: "idle" }]);
    machine.says.work = () => "Again.";
    expect((await machine.run(["run", "More", "--continue"])).stdout).toBe("Again.\n");
    expect(await machine.sessions()).toHaveLength(1);
  });

  test("prints the lines of a stopped turn to their end", async () => {
    machine.says.work = () => undefined;
    const running = machine.start(["run", "Never ends", "--output-format", "stream-json"]);
    await running.stdout.until(/"isReplay":true/);
    running.signal("SIGTERM");
    expect(await running.exited).toBe(143);
    const lines = running.stdout.text.trimEnd().split("\n");
    expect(JSON.parse(lines.at(-1) ?? "")).toMatchObject({ type: "result", is_error: true });
  });

  test("takes back a message that waits for its turn", async () => {
    machine.says.work = () => undefined;
    const first = machine.start(["run", "Never ends"]);
    await expect.poll(() => machine.worker.prompts.length).toBe(1);
    const [session] = await machine.sessions();
    const second = machine.start(["run", "Waits", "--session", session?.session_id ?? ""]);
    const client = await machine.client();
    const opened = client.openSession(session?.session_id ?? "");
    await opened.waitFor((view) => view.session.queue.length === 1);
    second.signal("SIGINT");
    expect(await second.exited).toBe(130);
    await opened.waitFor((view) => view.session.queue.length === 0);
    opened.close();
    first.signal("SIGINT");
    expect(await first.exited).toBe(130);
    expect(machine.worker.prompts).toEqual(["Never ends"]);
  });

  test("ends the program at once when it comes twice", async () => {
    machine.says.work = () => undefined;
    const running = machine.start(["run", "Never ends"]);
    await expect.poll(() => machine.worker.prompts.length).toBe(1);
    running.signal("SIGINT");
    running.signal("SIGINT");
    expect(running.exits).toEqual([130]);
    expect(await running.exited).toBe(130);
  });

  test("between two turns lets no other begin", async () => {
    const running = machine.start(["run", "Mend it", "--until", "DONE"]);
    machine.says.work = () => {
      running.signal("SIGINT");
      return "Half";
    };
    expect(await running.exited).toBe(130);
    expect(machine.worker.prompts).toHaveLength(1);
  });
});
