import { once } from "node:events";
import type { PassThrough } from "node:stream";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type StartedCli, TestMachine } from "../test-support/cli-run.ts";
import { createKeyboard, keys } from "../test-support/fake-terminal.ts";
import { VirtualTerminal } from "../test-support/virtual-terminal.ts";

describe("turnwire chat on a terminal", () => {
  let machine: TestMachine;
  let terminal: VirtualTerminal;
  let keyboard: PassThrough;
  let program: StartedCli;

  /** Resolves when the screen shows it. */
  async function shown(pattern: RegExp): Promise<void> {
    while (!pattern.test(terminal.text)) await once(terminal, "drawn");
  }

  function start(args: readonly string[] = [], env: Readonly<Record<string, string>> = {}): void {
    const stdin = createKeyboard();
    keyboard = stdin;
    program = machine.start(["chat", ...args], { stdin, stdout: terminal, env });
  }

  async function say(line: string): Promise<void> {
    await shown(/^[›?] *$/m);
    keyboard.write(line + keys.enter);
  }

  beforeEach(async () => {
    machine = await TestMachine.create();
    terminal = new VirtualTerminal({ columns: 70, rows: 30 });
  });

  afterEach(async () => {
    program.signal("SIGTERM");
    await program.exited;
    await machine.remove();
  });

  test("shows what is said and what comes back, and ends by /quit", async () => {
    start();
    await say("/markdown");
    await shown(/✓ .*90 tokens\n\n›/);
    await say("/quit");
    expect(await program.exited).toBe(0);
    expect(terminal.text).toContain("What markdown can do");
    expect(terminal.text).toContain("File          Lines  Changed");
    expect(terminal.text).not.toMatch(/^›\s*$/m);
    expect(program.stderr.text).toBe("");
  });

  test("has no colours where NO_COLOR asks for none", async () => {
    start([], { NO_COLOR: "1" });
    await say("/markdown");
    await shown(/90 tokens/);
    expect(terminal.written).not.toContain("\u001b[1m");
    expect(terminal.text).toContain("**bold**");
  });

  test("asks for permission, and gives back what was being typed", async () => {
    start();
    await shown(/^› *$/m);
    keyboard.write(`/permission${keys.enter}half a thought`);
    await shown(/y yes · a always/);
    expect(terminal.text).toMatch(/\? $|\?$/);
    expect(terminal.text).not.toContain("half a thought");
    keyboard.write(`y${keys.enter}`);
    await shown(/✓ Bash allowed/);
    await shown(/21 tokens\n\n› half a thought$/);
  });

  test("lets the input of a tool be edited", async () => {
    start();
    await say("/permission");
    await shown(/y yes/);
    keyboard.write(`e${keys.enter}`);
    await shown(/\? npm test/);
    keyboard.write(` --watch${keys.enter}`);
    await shown(/allowed, with changes/);
    await shown(/"command": "npm test --watch"/);
    expect(terminal.text).toContain("? Allow Bash?");
  });

  test("asks one question after the other", async () => {
    start();
    await say("/question");
    await shown(/Store: number/);
    keyboard.write(`2${keys.enter}`);
    await shown(/Pages: numbers/);
    keyboard.write(`1,3${keys.enter}`);
    await shown(/✓ Postgres · Login, Export/);
    expect(terminal.text).toContain("? 2 questions");
  });

  test("stops the turn with Ctrl-C, and leaves with two", async () => {
    start();
    await say("/tasks forever");
    await shown(/12 tokens/);
    await say("/permission");
    await shown(/y yes/);
    keyboard.write(keys.interrupt);
    await shown(/■ stopped/);
    keyboard.write(keys.interrupt);
    expect(await program.exited).toBe(0);
  });

  test("takes back what is typed with Ctrl-C before anything else", async () => {
    start();
    await shown(/^› *$/m);
    keyboard.write("never mind");
    await shown(/› never mind/);
    keyboard.write(keys.interrupt);
    await shown(/^› *$/m);
    keyboard.write(keys.interrupt);
    await shown(/once more to leave/);
    keyboard.write(keys.interrupt);
    expect(await program.exited).toBe(0);
  });

  test("ends with Ctrl-D", async () => {
    start();
    await shown(/^› *$/m);
    keyboard.write(keys.end);
    expect(await program.exited).toBe(0);
  });

  test("calls earlier lines back with the arrow key, but not answers", async () => {
    start();
    await say("/permission");
    await shown(/y yes/);
    keyboard.write(`y${keys.enter}`);
    await shown(/21 tokens\n\n›/);
    keyboard.write(keys.up);
    await shown(/› \/permission$/);
    expect(terminal.cursor.column).toBe("› /permission".length);
  });

  test("completes a command with Tab", async () => {
    start();
    await shown(/^› *$/m);
    keyboard.write(`/front${keys.tab}`);
    await shown(/› \/frontend-tool$/);
    expect(terminal.cursor.column).toBe("› /frontend-tool".length);
  });

  test("sends pasted lines, and lines that end in a backslash, as one message", async () => {
    start();
    await shown(/^› *$/m);
    keyboard.write(`${keys.pasteStart}one\rtwo\r${keys.pasteEnd}`);
    await shown(/\[\+2 lines\]/);
    keyboard.write(`three\\${keys.enter}`);
    await shown(/\[\+3 lines\]/);
    keyboard.write(`four${keys.enter}`);
    await shown(/^› one\n {2}two\n {2}three\n {2}four$/m);
    await shown(/tokens\n\n›/);
    expect(terminal.text.match(/^› /gm)).toHaveLength(1);
  });

  test("continues with another session", async () => {
    start(["--title", "First"]);
    await shown(/First/);
    await say("/usage");
    await shown(/13 tokens/);
    await say("/new Second");
    await shown(/Second/);
    await say("/thinking");
    await shown(/12 tokens/);
    await say("/sessions");
    await shown(/› \S+ {2}demo {2}idle {2}Second/);
    expect(terminal.text).toMatch(/^ {2}\S+ {2}demo {2}idle {2}First$/m);
  });

  test("ends when its session is deleted elsewhere", async () => {
    const { stop } = await machine.serve();
    start();
    await shown(/^› *$/m);
    const [, id = ""] = /([0-9a-f]{8}-[0-9a-f-]{27})/.exec(terminal.text) ?? [];
    expect((await machine.run(["sessions", "delete", id])).code).toBe(0);
    expect(await program.exited).toBe(0);
    expect(terminal.text).toContain("this session was deleted");
    await stop();
  });

  test("shows what another client says", async () => {
    const { stop } = await machine.serve();
    start();
    await shown(/^› *$/m);
    const [, id = ""] = /([0-9a-f]{8}-[0-9a-f-]{27})/.exec(terminal.text) ?? [];
    await machine.run(["send", id, "/usage", "--wait"]);
    await shown(/^› \/usage$/m);
    await shown(/13 tokens/);
    program.signal("SIGTERM");
    expect(await program.exited).toBe(0);
    await stop();
  });
});
