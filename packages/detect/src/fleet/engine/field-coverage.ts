import type { FleetTick } from "../contract.ts";
import type { Coverage } from "./define.ts";
import { INVALID, READING, columnOf } from "./rows.ts";

/** Which of a detector's fields had readings at the newest tick: never "sees" without one (E7). */
export class FieldCoverage {
  readonly #fields: readonly string[];
  #ticks = 0;
  #read: readonly string[] = [];
  #blank: readonly string[] = [];
  #present: readonly string[] = [];

  constructor(fields: readonly string[]) {
    this.#fields = fields;
  }

  note(tick: FleetTick): void {
    this.#ticks++;
    const columns = this.#fields.flatMap((field) => columnOf(tick, field) ?? []);
    this.#present = columns.filter(({ entities }) => entities.length > 0).map(({ field }) => field);
    this.#read = columns.filter(({ has }) => has.includes(READING)).map(({ field }) => field);
    this.#blank = columns.filter(({ has }) => !has.includes(READING) && has.includes(INVALID)).map(({ field }) => field);
  }

  coverage(): Coverage {
    if (this.#read.length > 0) return { sees: true, why: null };
    if (this.#ticks === 0) return { sees: false, why: "nothing has been read yet" };
    if (this.#blank.length > 0) return { sees: false, why: `${this.#blank.join(", ")} reads only as "not available"` };
    if (this.#present.length > 0) return { sees: false, why: `no reading of ${this.#present.join(", ")} is fresh` };
    return { sees: false, why: `no source brings ${this.#fields.join(", ")}` };
  }
}
