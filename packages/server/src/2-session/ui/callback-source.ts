import {
  type Block,
  type CatalogEntry,
  type Control,
  interruptComponentId,
  requestOf,
  type SessionState,
  stateComponentId,
  type ToolBlock,
  toolComponentId,
  valueAt,
} from "@turnwire/protocol";
import type { ComponentIndex } from "./component-index.ts";

const toolPrefix = toolComponentId("");
const statePrefix = stateComponentId("");
const interruptPrefix = interruptComponentId("");

export interface CallbackSourceOptions {
  readonly control: () => Control;
  readonly components: ComponentIndex;
  /** The whole state, for components that show a tool call. */
  readonly state: () => Promise<SessionState>;
}

/** Knows by name whatever a person may act in: what is shown, and what the UI derives. */
export class CallbackSource {
  readonly #options: CallbackSourceOptions;

  constructor(options: CallbackSourceOptions) {
    this.#options = options;
  }

  /** The name of a component that is there now; those of tool calls are found by `findTool` only. */
  nameOf(id: string): string | undefined {
    const { components } = this.#options;
    return components.get(id)?.name ?? this.#ofState(id) ?? this.#ofInterrupt(id);
  }

  /** The name of the component that shows a tool call. */
  async findTool(id: string): Promise<string | undefined> {
    const { control, state } = this.#options;
    if (!id.startsWith(toolPrefix) || control().catalog.length === 0) return undefined;
    const { messages, catalog } = await state();
    for (const message of messages) {
      const block = message.role === "agent" && toolIn(message.blocks, id.slice(toolPrefix.length));
      if (block) return entryForTool(catalog, block.tool)?.name;
    }
    return undefined;
  }

  #ofState(id: string): string | undefined {
    if (!id.startsWith(statePrefix)) return undefined;
    const { catalog, shared } = this.#options.control();
    const entry = catalog.find(({ name }) => stateComponentId(name) === id);
    if (entry?.state_key === undefined) return undefined;
    const value = valueAt(shared, entry.state_key);
    return value === undefined || value === null ? undefined : entry.name;
  }

  #ofInterrupt(id: string): string | undefined {
    if (!id.startsWith(interruptPrefix)) return undefined;
    const request = requestOf(this.#options.control(), id.slice(interruptPrefix.length));
    return request?.type === "interrupt" ? request.data.component_name : undefined;
  }
}

function entryForTool(catalog: readonly CatalogEntry[], tool: string): CatalogEntry | undefined {
  return catalog.find(({ tools = [] }) => tools.some((mapped) => mapped.tool === tool));
}

function toolIn(blocks: readonly Block[], toolUseId: string): ToolBlock | undefined {
  for (const block of blocks) {
    if (block.type === "tool" && block.tool_use_id === toolUseId) return block;
    const nested = block.type === "subagent" ? toolIn(block.blocks, toolUseId) : undefined;
    if (nested) return nested;
  }
  return undefined;
}
