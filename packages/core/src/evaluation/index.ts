export * from "./dimension.ts";
export * from "./settings.ts";
export * from "./record.ts";
export * from "./push.ts";
export * from "./gate.ts";
export * from "./release.ts";
