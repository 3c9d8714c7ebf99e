export * from "./incident-table.tsx";
export * from "./incident-row.tsx";
