import {
  applyJsonPatch,
  type CatalogEntry,
  entryOf,
  type JsonObject,
  type JsonPatchOperation,
  type JsonValue,
} from "@turnwire/protocol";
import type { ComponentWish, ShownComponent, UiPort } from "../../ui-port.ts";
import type { UiEvent } from "../served-tool.ts";

/** A UI that does what the events say, and refuses what a session would refuse. */
export class MemoryUi implements UiPort {
  readonly components = new Map<string, ShownComponent>();
  #catalog: readonly CatalogEntry[];
  value: JsonValue = null;
  version = 0;

  constructor(catalog: readonly CatalogEntry[] = []) {
    this.#catalog = catalog;
  }

  catalog(): readonly CatalogEntry[] {
    return this.#catalog;
  }

  grow(...entries: readonly CatalogEntry[]): void {
    this.#catalog = [...this.#catalog, ...entries];
  }

  component(componentId: string): ShownComponent | undefined {
    return this.components.get(componentId);
  }

  async check(wish: ComponentWish): Promise<string | undefined> {
    const { name, surface, props, patches, component_id = "" } = wish;
    const entry = entryOf(this.#catalog, name);
    if (this.#catalog.length > 0 && !entry) return `There is no component ${name}.`;
    if (entry && !entry.surfaces.includes(surface)) return `Not in ${surface}.`;
    if (props?.["wrong"] === true) return "wrong is not allowed";
    const shown = this.components.get(component_id)?.props ?? {};
    return patches && problemOf(shown, patches);
  }

  state(): { value: JsonValue; version: number } {
    return { value: this.value, version: this.version };
  }

  checkPatches(patches: readonly JsonPatchOperation[]): string | undefined {
    return problemOf(this.value, patches);
  }

  /** Does what an event says. */
  apply(event: UiEvent): void {
    switch (event.type) {
      case "component_update": {
        const { component_id, name, surface, props, patches } = event.data;
        const earlier = this.components.get(component_id)?.props ?? {};
        const next = patches ? (patched(earlier, patches) as JsonObject) : props;
        this.components.set(component_id, { name, surface, props: next });
        break;
      }
      case "component_remove":
        this.components.delete(event.data.component_id);
        break;
      case "state_delta":
        this.value = patched(this.value, event.data.patches);
        this.version += 1;
    }
  }
}

function patched(value: JsonValue, patches: readonly JsonPatchOperation[]): JsonValue {
  const result = applyJsonPatch(value, patches);
  if (!result.ok) throw new Error(result.problem);
  return result.value;
}

function problemOf(value: JsonValue, patches: readonly JsonPatchOperation[]): string | undefined {
  const result = applyJsonPatch(value, patches);
  return result.ok ? undefined : `The patch does not apply: ${result.problem}.`;
}
