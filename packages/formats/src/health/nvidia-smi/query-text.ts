import type { HealthOptions, HealthSink } from "../contract.ts";
import { civilTime, lineClock } from "../kernel/line-time.ts";
import { giveReadings, rawGpu, type RawGpu } from "./gpu-readings.ts";
import { MIG_TEXT_KEYS, TEXT_KEYS } from "./keys.ts";

/** One `nvidia-smi -q` of possibly several in a file. */
export interface QueryText {
  /** @returns false where the line is none of it any more: the output has ended */
  line(text: string, number: number): boolean;
  end(): void;
}

/** More GPUs and instances than any host has; a file that claims more is damaged. */
const MAX_GPUS = 256;
const MAX_MIGS = 64;
const GPU = /^GPU ([0-9A-F]{4,8}:[0-9A-F]{2}:[0-9A-F]{2}\.[0-7])\s*$/i;
const TIME = /^[A-Z][a-z]{2} ([A-Z][a-z]{2}) +(\d{1,2}) (\d{2}:\d{2}:\d{2}) (\d{4})$/;
/** A section's name may hold anything but a colon with spaces around it. */
const LEAF = /^( *)(\S.{0,79}?) +: ?(.*)$/;

/** Whether a line begins `nvidia-smi -q`. */
export function isQueryStart(line: string): boolean {
  return /^=+NVSMI LOG=+\s*$/.test(line);
}

/** Reads `nvidia-smi -q` by its indentation. Holds the fields that mean something of the GPUs seen so far, and gives them out at the end. */
export function queryText(sink: HealthSink, options: HealthOptions, onAssumed: () => void): QueryText {
  const clock = lineClock(options, onAssumed);
  const gpus: RawGpu[] = [];
  const header: Record<string, string> = {};
  let path: { readonly indent: number; readonly name: string }[] = [];
  let gpu: RawGpu | null = null;
  let mig: { readonly raw: RawGpu; readonly indent: number } | null = null;
  let isTooMany = false;

  function begin(number: number): void {
    path = [];
    mig = null;
    gpu = gpus.length < MAX_GPUS ? rawGpu() : null;
    if (gpu !== null) gpus.push(gpu);
    else if (!isTooMany) {
      isTooMany = true;
      sink.issue({
        line: number,
        code: "too-many-gpus",
        message: `There are more than ${MAX_GPUS} GPUs; this one and those after it are left out.`,
      });
    }
  }

  function leaf(name: string, text: string, number: number): void {
    if (gpu === null) return;
    const place = [...path.map((part) => part.name), name].join("/");
    if (mig === null) {
      keep(gpu, TEXT_KEYS.get(place), text, number);
      return;
    }
    keep(mig.raw, MIG_TEXT_KEYS.get(place.slice("mig_device/".length)), text, number);
  }

  /** `    FB Memory Usage` and, below it, deeper ones: the path follows the indentation. */
  function enter(indent: number, name: string): void {
    path = path.filter((part) => part.indent < indent);
    if (mig !== null && indent <= mig.indent) mig = null;
    if (name !== "mig_device" || path.length > 0 || gpu === null || gpu.migs.length >= MAX_MIGS) return;
    mig = { raw: rawGpu(), indent };
    gpu.migs.push(mig.raw);
  }

  function ofGpu(text: string, number: number): boolean {
    const indent = text.length - text.trimStart().length;
    if (indent === 0) return false;
    const [, , named, value] = LEAF.exec(text) ?? [];
    const name = nameOf(named ?? text);
    enter(indent, name);
    if (value !== undefined) leaf(name, value.trim(), number);
    path.push({ indent, name });
    return true;
  }

  return {
    line(text, number) {
      if (text.trim() === "") return true;
      if (GPU.test(text)) {
        begin(number);
        return true;
      }
      if (gpus.length > 0) return ofGpu(text, number);
      const [, indent, name, value] = LEAF.exec(text) ?? [];
      if (name === undefined || value === undefined || indent !== "") return false;
      header[nameOf(name)] = value.trim();
      return true;
    },
    end() {
      const [, month = "", day = "", time = "", year = ""] = TIME.exec(header["timestamp"] ?? "") ?? [];
      const driver = header["driver_version"];
      const document = { timeMs: clock(civilTime(month, day, time, year)), labels: driver === undefined ? {} : { driver_version: driver } };
      // Of a host's GPUs shown in part (`-i`) the place in the output is not the index.
      const isWhole = header["attached_gpus"] === String(gpus.length);
      gpus.forEach((each, index) => {
        giveReadings(each, isWhole ? { ...document, labels: { gpu: String(index), ...document.labels } } : document, sink);
      });
    },
  };
}

/** Keeps the first value that is one: drivers list some fields under an old and a new name. */
export function keep(gpu: RawGpu, key: string | undefined, text: string, line: number | null): void {
  if (key === undefined) return;
  const before = gpu.values.get(key);
  if (before === undefined || /^\[?N\/A\]?$/i.test(before.text)) gpu.values.set(key, { text, line });
}

function nameOf(text: string): string {
  return text.trim().toLowerCase().replaceAll(" ", "_");
}
