export * from "./median.ts";
export * from "./quantile.ts";
export * from "./cusum.ts";
export * from "./gaussian.ts";
export * from "./average-run-length.ts";
export * from "./interval.ts";
export * from "./random.ts";
export * from "./trend.ts";
