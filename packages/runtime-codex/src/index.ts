export { codexExec } from "./exec/runtime.ts";
export { type CodexRuntimeOptions, codex } from "./app-server/runtime.ts";
