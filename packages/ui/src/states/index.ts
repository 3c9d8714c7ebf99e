export * from "./skeleton.tsx";
export * from "./empty-state.tsx";
export * from "./error-state.tsx";
export * from "./notices.tsx";
