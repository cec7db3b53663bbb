export { demo, type DemoRuntimeOptions } from "./runtime.ts";
export type { DemoPace } from "./stage/pace.ts";
