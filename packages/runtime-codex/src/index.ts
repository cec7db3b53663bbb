export { createCodexExecRuntime } from "./exec/runtime.ts";
export { type CodexRuntimeOptions, createCodexRuntime } from "./app-server/runtime.ts";
