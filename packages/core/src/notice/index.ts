export * from "./notice.ts";
export { heardOf, noticesOf, toldAsSeveral } from "./policy.ts";
export type { NoticeQuestion, SentNotice } from "./policy.ts";
