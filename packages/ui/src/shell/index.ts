export * from "./bar-menu.tsx";
export * from "./sign-in-frame.tsx";
