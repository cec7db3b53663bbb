export { type ClaudeCliRuntimeOptions, createClaudeCliRuntime } from "./cli/runtime.ts";
export { type ClaudeRuntimeOptions, createClaudeRuntime } from "./sdk/runtime.ts";
