import {
  type Block,
  type Component,
  propsAfter,
  type SessionEvent,
  type SessionState,
} from "@turnwire/protocol";

/** A component with what is stored beside the log of its properties. */
export type IndexedComponent = Omit<Component, "component_id">;

/** The components that a session shows, by id: what callbacks and changes are checked against. */
export class ComponentIndex {
  readonly #components = new Map<string, IndexedComponent>();

  /** The index of a folded log. */
  static from(state: Pick<SessionState, "messages" | "surfaces">): ComponentIndex {
    const index = new ComponentIndex();
    for (const { component_id, ...component } of Object.values(state.surfaces).flat()) {
      index.#components.set(component_id, component);
    }
    for (const message of state.messages) {
      if (message.role === "agent") index.#addBlocks(message.blocks);
    }
    return index;
  }

  get size(): number {
    return this.#components.size;
  }

  get(componentId: string): IndexedComponent | undefined {
    return this.#components.get(componentId);
  }

  /** Follows the log. */
  observe(event: SessionEvent): void {
    if (event.type === "component_remove") this.#components.delete(event.data.component_id);
    if (event.type !== "component_update") return;
    const { component_id: id, name, surface } = event.data;
    const shown = propsAfter(this.#components.get(id), event);
    if (shown) this.#components.set(id, { name, surface, ...shown });
  }

  #addBlocks(blocks: readonly Block[]): void {
    for (const block of blocks) {
      if (block.type === "subagent") this.#addBlocks(block.blocks);
      if (block.type !== "component") continue;
      const { component_id, name, props, attachments } = block;
      const kept = { name, surface: "chat" as const, props, ...(attachments && { attachments }) };
      this.#components.set(component_id, kept);
    }
  }
}
