import { PickleCursor, PickleRefusal, refuse } from "./pickle-cursor.ts";
import { REFUSED_OPCODES } from "./refused-opcodes.ts";
import { floatLine, intLine, longLine, quotedLine, unicodeLine } from "./text-opcodes.ts";

/** What a pickle may hold here. Dicts come with text keys, as from JSON, and without a prototype; tuples and sets come as lists. */
export type PickleValue = string | number | boolean | null | PickleValue[] | PickleDict;
export interface PickleDict {
  [key: string]: PickleValue;
}

/** The value, or why there is none: one clause with the opcode's name and its byte. */
export type PickleOutcome = { readonly value: PickleValue } | { readonly fault: string };

const NEWEST_PROTOCOL = 5;
/** A memo may be sparse; its keys come from the file. */
const MAX_MEMO_KEY = 0xff_ff_ff_ff;

/**
 * Reads containers, text and numbers from a pickle of protocol 0 to 5 and refuses everything else by name: nothing is ever unpickled, imported or called.
 * Time and memory are in proportion to the bytes. One list may stand in several places of what comes out, or within itself: whoever walks it must bound the walk.
 */
export function readPickle(bytes: Uint8Array): PickleOutcome {
  try {
    return { value: new PickleMachine(bytes).run() };
  } catch (error) {
    if (error instanceof PickleRefusal) return { fault: error.message };
    throw error;
  }
}

/** Pickle's stack machine, of which only the harmless opcodes are built. */
class PickleMachine {
  private readonly cursor: PickleCursor;
  private stack: PickleValue[] = [];
  /** Stacks below each open mark. */
  private readonly marks: PickleValue[][] = [];
  private readonly memo = new Map<number, PickleValue>();
  private at = 0;

  constructor(bytes: Uint8Array) {
    this.cursor = new PickleCursor(bytes);
  }

  run(): PickleValue {
    for (;;) {
      this.at = this.cursor.offset;
      const opcode = this.cursor.byte();
      if (opcode === STOP) return this.result();
      const step = OPCODES.get(opcode);
      if (step === undefined)
        return refuse(
          `opcode ${REFUSED_OPCODES.get(opcode) ?? `0x${opcode.toString(16).padStart(2, "0")}`} is not read here; it stands`,
          this.at,
        );
      step(this, this.cursor);
    }
  }

  push(value: PickleValue): void {
    this.stack.push(value);
  }

  pop(): PickleValue {
    const value = this.stack.pop();
    return value === undefined ? refuse("a value is wanted where the stack is empty", this.at) : value;
  }

  top(): PickleValue {
    const value = this.stack.at(-1);
    return value === undefined ? refuse("a value is wanted where the stack is empty", this.at) : value;
  }

  mark(): void {
    this.marks.push(this.stack);
    this.stack = [];
  }

  /** What has come since the newest mark, which is taken away. */
  toMark(): PickleValue[] {
    const below = this.marks.pop();
    if (below === undefined) return refuse("a mark is wanted where there is none", this.at);
    const above = this.stack;
    this.stack = below;
    return above;
  }

  /** `POP` of an empty stack takes the mark away. */
  drop(): void {
    if (this.stack.length > 0) this.stack.pop();
    else this.toMark();
  }

  put(key: number): void {
    if (!(key >= 0 && key <= MAX_MEMO_KEY)) refuse(`memo key ${key}`, this.at);
    this.memo.set(key, this.top());
  }

  memoize(): void {
    this.put(this.memo.size);
  }

  get(key: number): void {
    const value = this.memo.get(key);
    this.push(value === undefined ? refuse(`memo key ${key}, which nothing was put to,`, this.at) : value);
  }

  append(items: readonly PickleValue[]): void {
    const list = this.top();
    if (!Array.isArray(list)) return refuse("a list is wanted", this.at);
    for (const item of items) list.push(item);
  }

  setItems(items: readonly PickleValue[]): void {
    fill(this.top(), items, this.at);
  }

  dictOf(items: readonly PickleValue[]): void {
    const dict = emptyDict();
    fill(dict, items, this.at);
    this.push(dict);
  }

  tuple(length: number): void {
    const items = Array.from({ length }, () => this.pop());
    this.push(items.reverse());
  }

  protocol(version: number): void {
    if (version > NEWEST_PROTOCOL) refuse(`protocol ${version}`, this.at);
  }

  line<T>(read: (line: string, offset: number) => T): T {
    const offset = this.at;
    return read(this.cursor.line(), offset);
  }

  private result(): PickleValue {
    if (this.marks.length > 0) return refuse("the pickle stops within a container", this.at);
    return this.pop();
  }
}

function emptyDict(): PickleDict {
  const dict: PickleDict = {};
  // A key `__proto__` is a key like any other.
  Object.setPrototypeOf(dict, null);
  return dict;
}

function fill(dict: PickleValue, items: readonly PickleValue[], at: number): void {
  if (typeof dict !== "object" || dict === null || Array.isArray(dict)) return refuse("a dict is wanted", at);
  if (items.length % 2 !== 0) return refuse("a key without a value", at);
  for (let index = 0; index < items.length; index += 2) {
    const key = items[index];
    if (typeof key !== "string" && typeof key !== "number") return refuse("a key that is neither text nor number", at);
    dict[String(key)] = items[index + 1] ?? null;
  }
}

const STOP = 0x2e;
type Step = (machine: PickleMachine, cursor: PickleCursor) => void;

const OPCODES: ReadonlyMap<number, Step> = new Map<number, Step>([
  [0x80, (machine, cursor) => machine.protocol(cursor.byte())],
  [0x95, (_, cursor) => void cursor.length8()],
  // Stack
  [0x28, (machine) => machine.mark()],
  [0x30, (machine) => machine.drop()],
  [0x31, (machine) => void machine.toMark()],
  [0x32, (machine) => machine.push(machine.top())],
  // Plain values
  [0x4e, (machine) => machine.push(null)],
  [0x88, (machine) => machine.push(true)],
  [0x89, (machine) => machine.push(false)],
  [0x49, (machine) => machine.push(machine.line(intLine))],
  [0x4c, (machine) => machine.push(machine.line(longLine))],
  [0x46, (machine) => machine.push(machine.line(floatLine))],
  [0x4a, (machine, cursor) => machine.push(cursor.int32())],
  [0x4b, (machine, cursor) => machine.push(cursor.byte())],
  [0x4d, (machine, cursor) => machine.push(cursor.uint16())],
  [0x8a, (machine, cursor) => machine.push(cursor.long(cursor.byte()))],
  [0x8b, (machine, cursor) => machine.push(cursor.long(cursor.uint32()))],
  [0x47, (machine, cursor) => machine.push(cursor.float64())],
  // Text
  [0x53, (machine) => machine.push(machine.line(quotedLine))],
  [0x54, (machine, cursor) => machine.push(cursor.latin1(cursor.uint32()))],
  [0x55, (machine, cursor) => machine.push(cursor.latin1(cursor.byte()))],
  [0x56, (machine) => machine.push(machine.line(unicodeLine))],
  [0x58, (machine, cursor) => machine.push(cursor.text(cursor.uint32()))],
  [0x8c, (machine, cursor) => machine.push(cursor.text(cursor.byte()))],
  [0x8d, (machine, cursor) => machine.push(cursor.text(cursor.length8()))],
  // Lists, tuples, sets
  [0x5d, (machine) => machine.push([])],
  [0x6c, (machine) => machine.push(machine.toMark())],
  [0x61, (machine) => appendOne(machine)],
  [0x65, (machine) => machine.append(machine.toMark())],
  [0x29, (machine) => machine.push([])],
  [0x74, (machine) => machine.push(machine.toMark())],
  [0x85, (machine) => machine.tuple(1)],
  [0x86, (machine) => machine.tuple(2)],
  [0x87, (machine) => machine.tuple(3)],
  [0x8f, (machine) => machine.push([])],
  [0x90, (machine) => machine.append(machine.toMark())],
  [0x91, (machine) => machine.push(machine.toMark())],
  // Dicts
  [0x7d, (machine) => machine.dictOf([])],
  [0x64, (machine) => machine.dictOf(machine.toMark())],
  [0x73, (machine) => setOne(machine)],
  [0x75, (machine) => machine.setItems(machine.toMark())],
  // Memo
  [0x67, (machine) => machine.get(machine.line(longLine))],
  [0x68, (machine, cursor) => machine.get(cursor.byte())],
  [0x6a, (machine, cursor) => machine.get(cursor.uint32())],
  [0x70, (machine) => machine.put(machine.line(longLine))],
  [0x71, (machine, cursor) => machine.put(cursor.byte())],
  [0x72, (machine, cursor) => machine.put(cursor.uint32())],
  [0x94, (machine) => machine.memoize()],
]);

function appendOne(machine: PickleMachine): void {
  const item = machine.pop();
  machine.append([item]);
}

function setOne(machine: PickleMachine): void {
  const value = machine.pop();
  const key = machine.pop();
  machine.setItems([key, value]);
}
