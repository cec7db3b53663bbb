export { type ClaudeCliRuntimeOptions, claudeCli } from "./cli/runtime.ts";
export { type ClaudeRuntimeOptions, claude } from "./sdk/runtime.ts";
