export type { WebkitOptions } from "./position.ts";
export { webkit } from "./wire.ts";
