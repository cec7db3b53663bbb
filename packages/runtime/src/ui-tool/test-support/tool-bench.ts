import type { CatalogEntry, JsonObject } from "@turnwire/protocol";
import type { RequestAnswer } from "../../runtime.ts";
import type { ComponentQuestion, ToolAnswer, UiEvent } from "../served-tool.ts";
import { UiNews } from "../ui-news.ts";
import { uiTools } from "../ui-tool.ts";
import { MemoryUi } from "./memory-ui.ts";

/** Calls the UI tools as a runtime does. */
export class ToolBench {
  readonly ui: MemoryUi;
  readonly news: UiNews;
  readonly events: UiEvent[] = [];
  readonly asked: ComponentQuestion[] = [];
  /** What a person answers; undefined: nothing, the question is withdrawn. */
  answer: RequestAnswer | undefined;

  constructor(catalog: readonly CatalogEntry[] = []) {
    this.ui = new MemoryUi(catalog);
    this.news = new UiNews(this.ui);
  }

  async call(name: string, input: JsonObject, toolUseId?: string): Promise<ToolAnswer> {
    const tool = uiTools(this.ui.catalog()).find((candidate) => candidate.name === name);
    if (!tool) throw new Error(`There is no tool ${name}.`);
    return tool.call(input, {
      id: "fresh",
      toolUseId: toolUseId === undefined ? {} : { tool_use_id: toolUseId },
      signal: new AbortController().signal,
      news: this.news,
      emit: async (event) => {
        this.events.push(event);
        this.ui.apply(event);
      },
      askInComponent: async (question) => {
        this.asked.push(question);
        return this.answer;
      },
    });
  }
}
