import {
  applyJsonPatch,
  isJsonEqual,
  pointerName,
  pointerNames,
  type JsonPatchOperation,
  type JsonValue,
} from "@turnwire/protocol";

/** The document that a patch was made for, and the one that it shall apply to. */
interface Documents {
  readonly before: JsonValue;
  readonly after: JsonValue;
}

/**
 * The patch for a document that has changed since it was made: indexes follow the items that they
 * meant. Undefined where an item is gone, or it is not clear which one it is now.
 */
export function rebasePatch(
  patches: readonly JsonPatchOperation[],
  { before, after }: Documents,
): readonly JsonPatchOperation[] | undefined {
  if (isJsonEqual(before, after)) return patches;
  const rebased: JsonPatchOperation[] = [];
  let documents = { before, after };
  for (const operation of patches) {
    const moved = rebaseOperation(operation, documents);
    const earlier = applyJsonPatch(documents.before, [operation]);
    // It never applied: the server has the reason.
    if (!earlier.ok) return patches;
    const now = moved && applyJsonPatch(documents.after, [moved]);
    if (!moved || !now?.ok) return undefined;
    rebased.push(moved);
    documents = { before: earlier.value, after: now.value };
  }
  return rebased;
}

function rebaseOperation(
  operation: JsonPatchOperation,
  documents: Documents,
): JsonPatchOperation | undefined {
  switch (operation.op) {
    case "add": {
      const path = rebasePointer(operation.path, documents, { isInsertion: true });
      return path === undefined ? undefined : { ...operation, path };
    }
    case "replace":
    case "remove":
    case "test": {
      const path = rebasePointer(operation.path, documents, { isInsertion: false });
      return path === undefined ? undefined : { ...operation, path };
    }
    case "move":
    case "copy": {
      const from = rebasePointer(operation.from, documents, { isInsertion: false });
      const path = rebasePointer(operation.path, documents, { isInsertion: true });
      return from === undefined || path === undefined ? undefined : { ...operation, from, path };
    }
  }
}

function rebasePointer(
  pointer: string,
  documents: Documents,
  { isInsertion }: { readonly isInsertion: boolean },
): string | undefined {
  let before: JsonValue | undefined = documents.before;
  let after: JsonValue | undefined = documents.after;
  const names = pointerNames(pointer);
  let rebased = "";
  for (const [depth, name] of names.entries()) {
    let next = name;
    if (Array.isArray(before) && name !== "-") {
      if (!Array.isArray(after)) return undefined;
      const index = Number(name);
      const isEnd = isInsertion && depth === names.length - 1 && index === before.length;
      const place = isEnd ? after.length : placeOf(index, before, after);
      if (place === undefined) return undefined;
      next = String(place);
    }
    rebased += `/${pointerName(next)}`;
    before = memberOf(before, name);
    after = memberOf(after, next);
  }
  return rebased;
}

/** Where the item of one list is in another. */
function placeOf(
  index: number,
  before: readonly JsonValue[],
  after: readonly JsonValue[],
): number | undefined {
  const item = before[index];
  if (item === undefined) return undefined;
  const isThere = (place: number): boolean => {
    const other = after[place];
    return other !== undefined && isJsonEqual(item, other);
  };
  if (isThere(index)) return index;
  const places = [...after.keys()].filter(isThere);
  if (places.length > 0) return places.length === 1 ? places[0] : undefined;
  // Changed where it is, if nothing else has moved.
  const isOnlyChange =
    before.length === after.length &&
    before.every((other, place) => place === index || isJsonEqual(other, after[place] ?? null));
  return isOnlyChange ? index : undefined;
}

function memberOf(container: JsonValue | undefined, name: string): JsonValue | undefined {
  if (Array.isArray(container)) return container[Number(name)];
  const isObject = typeof container === "object" && container !== null;
  return isObject && Object.hasOwn(container, name) ? container[name] : undefined;
}
