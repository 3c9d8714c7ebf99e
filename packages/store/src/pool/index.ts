export { copyRows } from "./copy-rows.ts";
export { createPool, inTransaction, isConnectionLoss } from "./pool.ts";
export { literal, readRows } from "./read-rows.ts";
