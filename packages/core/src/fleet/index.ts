export * from "./entity.ts";
export * from "./field.ts";
export * from "./fleet-event.ts";
export * from "./frame.ts";
export * from "./reading.ts";
export * from "./series-identity.ts";
