import {
  type Block,
  type Component,
  propsAfter,
  type SessionEvent,
  type SessionState,
} from "@turnwire/protocol";
import { RunningTasks } from "./running-tasks.ts";
import { WaitingCallbacks } from "./waiting-callbacks.ts";

/** A component with what is stored beside the log of its properties. */
export interface IndexedComponent extends Omit<Component, "component_id"> {
  /** The turn whose message it stands in, where it is in the chat. */
  readonly turn_id?: string;
}

interface IndexStart {
  readonly isTurnRunning?: boolean;
  readonly tasks?: RunningTasks;
}

/** The components that a session shows, by id: what callbacks and changes are checked against. */
export class ComponentIndex {
  readonly #components = new Map<string, IndexedComponent>();
  /** What was done in them and no agent may have heard. */
  readonly waiting: WaitingCallbacks;
  readonly tasks: RunningTasks;

  constructor({ isTurnRunning = false, tasks = new RunningTasks() }: IndexStart = {}) {
    this.waiting = new WaitingCallbacks(isTurnRunning);
    this.tasks = tasks;
  }

  /** The index of a folded log. */
  static from(
    state: Pick<SessionState, "messages" | "surfaces" | "turn" | "tasks">,
  ): ComponentIndex {
    const isTurnRunning = state.turn !== null;
    const index = new ComponentIndex({ isTurnRunning, tasks: RunningTasks.from(state) });
    for (const { component_id, ...component } of Object.values(state.surfaces).flat()) {
      index.#components.set(component_id, component);
    }
    for (const message of state.messages) {
      if (message.role === "agent") index.#addBlocks(message.blocks, message.turn_id);
    }
    return index;
  }

  get size(): number {
    return this.#components.size;
  }

  ids(): Iterable<string> {
    return this.#components.keys();
  }

  get(componentId: string): IndexedComponent | undefined {
    return this.#components.get(componentId);
  }

  /** Follows the log. */
  observe(event: SessionEvent): void {
    this.waiting.observe(event);
    this.tasks.observe(event);
    if (event.type === "component_remove") this.#components.delete(event.data.component_id);
    if (event.type !== "component_update") return;
    const { component_id: id, name, surface } = event.data;
    const earlier = this.#components.get(id);
    const shown = propsAfter(earlier, event);
    if (!shown) return;
    // In the chat it changes where it was first shown.
    const turnId = earlier?.surface === "chat" ? earlier.turn_id : event.turn_id;
    const place = surface === "chat" && turnId !== undefined ? { turn_id: turnId } : {};
    this.#components.set(id, { name, surface, ...shown, ...place });
  }

  #addBlocks(blocks: readonly Block[], turnId: string | undefined): void {
    for (const block of blocks) {
      if (block.type === "subagent") this.#addBlocks(block.blocks, turnId);
      if (block.type !== "component") continue;
      const { component_id, name, props, attachments } = block;
      this.#components.set(component_id, {
        name,
        surface: "chat",
        props,
        ...(attachments && { attachments }),
        ...(turnId !== undefined && { turn_id: turnId }),
      });
    }
  }
}
