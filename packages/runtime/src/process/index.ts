export { type AgentProcess, type AgentProcessOptions, spawnAgentProcess } from "./agent-process.ts";
export { childEnvironment } from "./environment.ts";
export { LineReader } from "./line-reader.ts";
export type { SplitLine } from "./line-splitter.ts";
export { MessageQueue } from "./message-queue.ts";
export { isInside } from "./path-inside.ts";
export { sendSignal } from "./process-group.ts";
export { openProcessRegistry, type ProcessRegistry } from "./process-registry.ts";
export { type ProcessEntry, systemProcessTable } from "./process-table.ts";
export { isOnPath, typedProgram } from "./program-path.ts";
export { shellWord } from "./shell-word.ts";
export {
  type ProcessExit,
  SupervisedProcess,
  type SupervisionLimits,
} from "./supervised-process.ts";
export { TailBuffer } from "./tail-buffer.ts";
