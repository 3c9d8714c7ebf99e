export * from "./stack-size.ts";
export * from "./chart-stack.tsx";
export * from "./lane-table.tsx";
export * from "./attempts-strip.tsx";
export * from "./lineage-bar.tsx";
export { nextScale } from "./lane-label.tsx";
