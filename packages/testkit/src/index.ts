export { createFakeClock, type FakeClock } from "./fake-clock.ts";
export { buildPush, type PushPoints } from "./push-builder.ts";
export { createTestDatabase, createTestStore, type TestDatabase, type TestStore } from "./test-database.ts";
export { readStoredReadings, type StoredReading } from "./stored-readings.ts";
