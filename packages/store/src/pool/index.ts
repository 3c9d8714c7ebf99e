export { createPool, inTransaction } from "./pool.ts";
