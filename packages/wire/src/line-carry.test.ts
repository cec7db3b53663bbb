import { assert, array, json, nat, property } from "fast-check";
import { describe, expect, test } from "vitest";
import { LineCarry } from "./line-carry.ts";

describe("lines in frames", () => {
  test("are the same however the text is cut", () => {
    assert(
      property(array(json(), { minLength: 1 }), array(nat(40)), (values, sizes) => {
        const lines = values.map((value) => JSON.stringify({ value }));
        const text = lines.map((line) => `${line}\n`).join("");
        const carry = new LineCarry();
        const taken: string[] = [];
        let from = 0;
        for (const size of [...sizes, text.length]) {
          taken.push(...carry.take(text.slice(from, from + size)));
          from += size;
        }
        expect(taken).toEqual(lines);
        expect(carry.length).toBe(0);
      }),
    );
  });

  test("may lack their end where a frame is whole by itself, which ends what was left open", () => {
    const carry = new LineCarry();
    const line = '{"type":"keep_alive"}';
    expect(carry.take('{"a":1}')).toEqual(['{"a":1}']);
    expect(carry.take('{"a"')).toEqual([]);
    expect(carry.length).toBe(4);
    expect(carry.take(":2}\n")).toEqual(['{"a":2}']);
    expect(carry.take("nonsense")).toEqual([]);
    expect(carry.take(line)).toEqual(["nonsense", line]);
    expect(carry.take('{"a":[')).toEqual([]);
    expect(carry.take("{}")).toEqual([]);
    expect(carry.take("]}\n")).toEqual(['{"a":[{}]}']);
  });

  test("are left out whole where somebody has had enough of one", () => {
    const carry = new LineCarry();
    const line = '{"type":"keep_alive"}';
    carry.take('{"a":');
    expect(carry.skip()).toBe(5);
    expect(carry.take("1,")).toEqual([]);
    expect(carry.length).toBe(0);
    expect(carry.take(`"b":2}\n${line}\n{`)).toEqual([line]);
    carry.skip();
    expect(carry.take(line)).toEqual([line]);
    expect(carry.take('{"b":3}')).toEqual(['{"b":3}']);
  });

  test("of a type that the peer does not send are parts of the line that has begun", () => {
    const carry = new LineCarry(["result"]);
    carry.take('{"a":[');
    expect(carry.take('{"type":"user"}')).toEqual([]);
    expect(carry.take('{"type":"result"}')).toEqual(['{"a":[{"type":"user"}', '{"type":"result"}']);
  });
});
