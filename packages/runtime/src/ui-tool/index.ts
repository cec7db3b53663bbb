export { callbackText } from "./callback-text.ts";
export { CatalogMemory, KnownCatalog } from "./catalog-memory.ts";
export {
  refusal,
  type ServedTool,
  textOf,
  type ToolAnswer,
  type ToolCall,
  UiEvent,
} from "./served-tool.ts";
export { UiNews } from "./ui-news.ts";
export { uiToolNames, uiTools } from "./ui-tool.ts";
export { unknownUi } from "./unknown-ui.ts";
