import { expect, test } from "vitest";
import { SocketInbox } from "./socket-inbox.ts";

test("frames that came together are taken in order, and others have their turn in between", async () => {
  const order: string[] = [];
  const websocket = { pause: () => undefined, resume: () => undefined };
  const inbox = new SocketInbox({ websocket, onError: (error) => order.push(String(error)) });
  const taken = new Promise<void>((resolve) => {
    for (const name of ["first", "second", "third", "last"]) {
      inbox.receive(Buffer.from(name), async (bytes) => {
        order.push(String(bytes));
        if (name === "last") resolve();
      });
    }
  });
  setImmediate(() => {
    order.push("another connection");
    setImmediate(() => order.push("and another"));
  });
  await taken;
  expect(order.filter((name) => !name.includes("another"))).toEqual([
    "first",
    "second",
    "third",
    "last",
  ]);
  expect(order.indexOf("another connection")).toBeLessThan(order.indexOf("third"));
  expect(order.indexOf("and another")).toBeLessThan(order.indexOf("last"));
});
