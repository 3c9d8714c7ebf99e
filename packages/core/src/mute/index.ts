export * from "./mute.ts";
export { isMuted } from "./is-muted.ts";
export type { MuteQuestion } from "./is-muted.ts";
export { isTimeZone } from "./zone-time.ts";
export { muteWindows } from "./mute-windows.ts";
export type { MuteWindow } from "./mute-windows.ts";
