export * from "./bar-menu.tsx";
export * from "./desk-only.tsx";
export * from "./hidden-heading.tsx";
export * from "./sign-in-frame.tsx";
export * from "./status-button.tsx";
