export { changeList, createMemoryList, type ListChange, type ListStore } from "./list-store.ts";
export { Serial } from "./serial.ts";
export { createSharedList } from "./shared-list.ts";
export { type Sharing, sharingOf } from "./sharing.ts";
export { jsonFrom, readWhole, writeWhole } from "./whole-file.ts";
