export { freshEvents, NO_EVENTS_TOLD, pastEvents, type EventMemory, type FreshEvents } from "./fresh-events.ts";
export { createTickReader, type TickReader } from "./tick-reader.ts";
