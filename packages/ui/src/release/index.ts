export * from "./release-layout.tsx";
export * from "./sign-line.tsx";
export * from "./text-pair.tsx";
