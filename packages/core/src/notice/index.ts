export * from "./notice.ts";
export { noticesOf } from "./policy.ts";
export type { NoticeQuestion, SentNotice } from "./policy.ts";
