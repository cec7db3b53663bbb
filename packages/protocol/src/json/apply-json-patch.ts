import { isObject } from "@turnwire/base";
import { isJsonEqual } from "./json-equal.ts";
import type { JsonPatchOperation } from "./json-patch.ts";
import { jsonSize } from "./json-size.ts";
import type { JsonObject, JsonValue } from "./json.ts";

/** A patched document, or why the patch does not fit; then nothing of it was applied. */
export type PatchResult =
  | { readonly ok: true; readonly value: JsonValue }
  | { readonly ok: false; readonly problem: string };

/** A document that a patch makes larger than this, in characters of JSON text, is refused. */
export const MAX_PATCHED_TEXT = 1024 * 1024;
/** Levels that a patch may nest a document into. */
export const MAX_PATCHED_DEPTH = 100;
/** Members that all operations of a patch together may copy; each copies the containers above its place. */
const MAX_PATCH_WORK = 1_000_000;
/** Items of an array are copied as one block. */
const ITEMS_PER_MEMBER = 32;

/**
 * Applies RFC 6902 operations in order, all or none, and leaves the given document as it is:
 * what a patch does not touch is shared between the old and the new document. A patch that makes
 * the document too large, or costs too much, does not fit, for everybody who applies it alike.
 */
export function applyJsonPatch(
  document: JsonValue,
  patches: readonly JsonPatchOperation[],
): PatchResult {
  let value = document;
  let work = 0;
  for (const [index, operation] of patches.entries()) {
    work += workOf(value, operation.path);
    if (work > MAX_PATCH_WORK) return failure(`patch ${index}: the patch takes too many steps`);
    const result = applyOperation(value, operation);
    if (!result.ok) {
      return failure(`patch ${index} (${operation.op} ${operation.path}): ${result.problem}`);
    }
    value = result.value;
  }
  const problem = growthProblem(document, value);
  return problem === undefined ? success(value) : failure(problem);
}

/** A document that is already too large may still be made smaller. */
function growthProblem(before: JsonValue, after: JsonValue): string | undefined {
  const { text, depth } = jsonSize(after);
  if (text <= MAX_PATCHED_TEXT && depth <= MAX_PATCHED_DEPTH) return undefined;
  const earlier = jsonSize(before);
  if (text > MAX_PATCHED_TEXT && text > earlier.text) {
    return `the state would be larger than ${MAX_PATCHED_TEXT} characters of JSON`;
  }
  if (depth > MAX_PATCHED_DEPTH && depth > earlier.depth) {
    return `the state would be nested deeper than ${MAX_PATCHED_DEPTH} levels`;
  }
  return undefined;
}

/** How many members the containers on the way to a place have: so many are copied. */
function workOf(document: JsonValue, pointer: string): number {
  let work = 1;
  let value: JsonValue | undefined = document;
  for (const segment of segmentsOf(pointer) ?? []) {
    if (Array.isArray(value)) work += value.length / ITEMS_PER_MEMBER;
    // Counting the members of an object costs as much as copying them.
    else if (isObject(value)) work += Object.keys(value).length;
    value = childOf(value, segment);
  }
  return work;
}

function applyOperation(document: JsonValue, operation: JsonPatchOperation): PatchResult {
  switch (operation.op) {
    case "add":
      return add(document, operation.path, operation.value);
    case "replace":
      return chain(read(document, operation.path), () =>
        replace(document, operation.path, operation.value),
      );
    case "remove":
      return remove(document, operation.path);
    case "move":
      return move(document, operation.from, operation.path);
    case "copy":
      return chain(read(document, operation.from), (value) => add(document, operation.path, value));
    case "test":
      return chain(read(document, operation.path), (value) =>
        isJsonEqual(value, operation.value)
          ? success(document)
          : failure("the value is another one"),
      );
    default:
      return failure("there is no such operation");
  }
}

function add(document: JsonValue, pointer: string, value: JsonValue): PatchResult {
  return edit(document, pointer, {
    root: () => value,
    array: (array, index) => array.toSpliced(index, 0, value),
    object: (object, key) => ({ ...object, [key]: value }),
    mayAppend: true,
  });
}

function replace(document: JsonValue, pointer: string, value: JsonValue): PatchResult {
  return edit(document, pointer, {
    root: () => value,
    array: (array, index) => array.with(index, value),
    object: (object, key) => ({ ...object, [key]: value }),
    mayAppend: false,
  });
}

/** JSON has no word for nothing: removing the whole document leaves null. */
function remove(document: JsonValue, pointer: string): PatchResult {
  return chain(read(document, pointer), () =>
    edit(document, pointer, {
      root: () => null,
      array: (array, index) => array.toSpliced(index, 1),
      object: (object, key) => {
        const { [key]: _removed, ...rest } = object;
        return rest;
      },
      mayAppend: false,
    }),
  );
}

function move(document: JsonValue, from: string, path: string): PatchResult {
  if (path.startsWith(`${from}/`)) return failure("a value cannot move into itself");
  return chain(read(document, from), (value) =>
    from === path
      ? success(document)
      : chain(remove(document, from), (without) => add(without, path, value)),
  );
}

interface Edit {
  readonly root: () => JsonValue;
  readonly array: (array: JsonValue[], index: number) => JsonValue;
  readonly object: (object: JsonObject, key: string) => JsonValue;
  /** Whether the place behind an array's last item counts. */
  readonly mayAppend: boolean;
}

/** Edits the container that holds the pointer's place and copies the containers above it. */
function edit(document: JsonValue, pointer: string, change: Edit): PatchResult {
  const segments = segmentsOf(pointer);
  if (!segments) return failure("not a JSON pointer");
  const last = segments.at(-1);
  if (last === undefined) return success(change.root());
  const above = segments.slice(0, -1);
  const containers: JsonValue[] = [document];
  for (const segment of above) {
    const child = childOf(containers.at(-1), segment);
    if (child === undefined) return failure("there is nothing above this place");
    containers.push(child);
  }
  const changed = editContainer(containers.at(-1), last, change);
  if (!changed.ok) return changed;
  let value = changed.value;
  for (let depth = above.length - 1; depth >= 0; depth--) {
    const segment = above[depth] ?? "";
    const parent = containers[depth];
    if (Array.isArray(parent)) value = parent.with(Number(segment), value);
    else if (isObject(parent)) value = { ...parent, [segment]: value };
  }
  return success(value);
}

function editContainer(container: JsonValue | undefined, key: string, change: Edit): PatchResult {
  if (Array.isArray(container)) {
    const end = change.mayAppend ? container.length : container.length - 1;
    const index = key === "-" ? container.length : indexOf(key);
    if (index === undefined || index > end) return failure("there is no such place in the array");
    return success(change.array(container, index));
  }
  if (isObject(container)) return success(change.object(container, key));
  return failure("there is nothing above this place");
}

function read(document: JsonValue, pointer: string): PatchResult {
  const segments = segmentsOf(pointer);
  if (!segments) return failure("not a JSON pointer");
  let value: JsonValue | undefined = document;
  for (const segment of segments) {
    value = childOf(value, segment);
    if (value === undefined) return failure(`there is nothing at ${pointer}`);
  }
  return success(value);
}

/** Own members only, so that `/__proto__` and `/constructor` name data or nothing. */
function childOf(container: JsonValue | undefined, segment: string): JsonValue | undefined {
  if (Array.isArray(container)) {
    const index = indexOf(segment);
    return index === undefined ? undefined : container[index];
  }
  return isObject(container) && Object.hasOwn(container, segment) ? container[segment] : undefined;
}

function segmentsOf(pointer: string): string[] | undefined {
  if (pointer === "") return [];
  if (!pointer.startsWith("/") || /~(?![01])/.test(pointer)) return undefined;
  return pointer
    .slice(1)
    .split("/")
    .map((segment) => segment.replaceAll("~1", "/").replaceAll("~0", "~"));
}

function indexOf(segment: string): number | undefined {
  return /^(0|[1-9]\d*)$/.test(segment) ? Number(segment) : undefined;
}

function chain(result: PatchResult, next: (value: JsonValue) => PatchResult): PatchResult {
  return result.ok ? next(result.value) : result;
}

function success(value: JsonValue): PatchResult {
  return { ok: true, value };
}

function failure(problem: string): PatchResult {
  return { ok: false, problem };
}
