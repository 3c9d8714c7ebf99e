import { XMLParser } from "fast-xml-parser";
import { decodeUtf8 } from "../../text/utf8-decoder.ts";
import type { HealthOptions, HealthParser, HealthSink } from "../contract.ts";
import { civilTime, lineClock } from "../kernel/line-time.ts";
import { giveReadings, rawGpu, type RawGpu, type SmiDocument } from "./gpu-readings.ts";
import { MIG_XML_KEYS, XML_KEYS } from "./keys.ts";
import { keep } from "./query-text.ts";

/** A host of 16 GPUs writes 2 MB at most. */
const MAX_BYTES = 16 * 1024 * 1024;
const MAX_GPUS = 256;
const MAX_MIGS = 64;
/** Of the document; nvidia-smi nests to 8. */
const MAX_DEPTH = 32;
const TIME = /^[A-Z][a-z]{2} ([A-Z][a-z]{2}) +(\d{1,2}) (\d{2}:\d{2}:\d{2}) (\d{4})$/;

/**
 * Reads `nvidia-smi -q -x`, also several documents one after another. Holds the whole text, to 16 MiB. Entities are not expanded, and a document that
 * defines some is refused: nvidia-smi has none.
 */
export function nvidiaSmiXmlParser(sink: HealthSink, options: HealthOptions = {}): HealthParser {
  const chunks: Uint8Array[] = [];
  let size = 0;
  return {
    push(chunk) {
      size += chunk.length;
      if (size <= MAX_BYTES) chunks.push(chunk.slice());
      else chunks.length = 0;
    },
    end() {
      if (size > MAX_BYTES)
        return sink.issue({ line: 0, code: "too-large", message: `The XML is larger than ${MAX_BYTES} bytes and was not read.` });
      const text = decodeUtf8(joined(chunks)).replace(/^\s+/, "");
      // A document of a loop (`-l`) may come with or without its declaration.
      for (const document of text.split(/(?=<\?xml\b)/)) if (document.trim() !== "") readDocument(document, sink, options);
    },
  };
}

function readDocument(text: string, sink: HealthSink, options: HealthOptions): void {
  if (/<!ENTITY\b|<!DOCTYPE[^>]*\[/i.test(text)) {
    return sink.issue({
      line: 0,
      code: "bad-xml",
      message: "The document defines entities or a document type of its own, which nvidia-smi never does; it was not read.",
    });
  }
  const root = parsed(text);
  if (typeof root === "string") return sink.issue({ line: 0, code: "bad-xml", message: `The XML cannot be read: ${root}.` });
  const log = child(root, "nvidia_smi_log");
  if (log === null) return sink.issue({ line: 0, code: "bad-xml", message: "The XML has no nvidia_smi_log." });
  const clock = lineClock(options, () =>
    sink.issue({ line: 0, code: "zone-assumed", message: "Times name no zone and are taken as UTC; name one by --tz." }),
  );
  const [, month = "", day = "", time = "", year = ""] = TIME.exec(textOf(log["timestamp"])) ?? [];
  const driver = textOf(log["driver_version"]);
  const shared: SmiDocument = { timeMs: clock(civilTime(month, day, time, year)), labels: driver === "" ? {} : { driver_version: driver } };
  const gpus = listOf(log["gpu"]);
  if (gpus.length > MAX_GPUS)
    sink.issue({ line: 0, code: "too-many-gpus", message: `There are more than ${MAX_GPUS} GPUs; those after them are left out.` });
  // Of a host's GPUs shown in part (`-i`) the place in the output is not the index.
  const isWhole = textOf(log["attached_gpus"]) === String(gpus.length);
  gpus.slice(0, MAX_GPUS).forEach((element, index) => {
    const document = isWhole ? { ...shared, labels: { gpu: String(index), ...shared.labels } } : shared;
    giveReadings(readGpu(element), document, sink);
  });
}

type Element = Readonly<Record<string, unknown>>;

/** The document, or why it is none. */
function parsed(text: string): Element | string {
  try {
    const parser = new XMLParser({
      processEntities: false,
      parseTagValue: false,
      ignoreAttributes: true,
      ignoreDeclaration: true,
      trimValues: true,
    });
    const root: unknown = parser.parse(text, true);
    return isElement(root) ? root : "it is empty";
  } catch (cause) {
    return cause instanceof Error ? cause.message.replace(/\s+/g, " ").replace(/\.$/, "").slice(0, 200) : "it is damaged";
  }
}

function readGpu(element: Element): RawGpu {
  const gpu = rawGpu();
  fill(gpu, element, XML_KEYS, "", 0);
  const list = child(element, "mig_devices");
  for (const device of list === null ? [] : listOf(list["mig_device"]).slice(0, MAX_MIGS)) {
    const mig = rawGpu();
    fill(mig, device, MIG_XML_KEYS, "", 0);
    gpu.migs.push(mig);
  }
  return gpu;
}

function fill(gpu: RawGpu, element: Element, keys: ReadonlyMap<string, string>, path: string, depth: number): void {
  for (const [name, value] of Object.entries(element)) {
    const place = path === "" ? name : `${path}/${name}`;
    if (typeof value === "string") keep(gpu, keys.get(place), value.trim(), null);
    else if (isElement(value) && depth < MAX_DEPTH) fill(gpu, value, keys, place, depth + 1);
  }
}

function child(element: Element, name: string): Element | null {
  const value = element[name];
  return isElement(value) ? value : null;
}

function listOf(value: unknown): readonly Element[] {
  return (Array.isArray(value) ? value : [value]).filter(isElement);
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value.trim() : "";
}

function isElement(value: unknown): value is Element {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function joined(chunks: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}
