import { isObject } from "@turnwire/base";
/** Reads the props that an agent sent; each reader throws an error that names the prop. */
type Source = Readonly<Record<string, unknown>>;

export function objectFrom(value: unknown, name = "props"): Source {
  if (!isObject(value)) throw new Error(`${name} must be an object`);
  return Object.fromEntries(Object.entries(value));
}

export function textFrom(source: Source, name: string): string {
  const value = source[name];
  if (typeof value !== "string") throw new Error(`${name} must be a string`);
  return value;
}

export function optionalTextFrom(source: Source, name: string): string | undefined {
  return source[name] === undefined || source[name] === null ? undefined : textFrom(source, name);
}

export function numberFrom(source: Source, name: string): number {
  const value = source[name];
  if (typeof value !== "number") throw new Error(`${name} must be a number`);
  return value;
}

/** The list under a name, each item read by `read`; an empty one where there is none. */
export function listFrom<Item>(
  source: Source,
  name: string,
  read: (item: unknown, index: number) => Item,
): readonly Item[] {
  const value = source[name] ?? [];
  if (!Array.isArray(value)) throw new Error(`${name} must be a list`);
  return value.map((item, index) => read(item, index));
}

export function textItem(item: unknown): string {
  if (typeof item !== "string") throw new Error("expected an array of strings");
  return item;
}
