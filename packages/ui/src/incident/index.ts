export * from "./incident-table.tsx";
