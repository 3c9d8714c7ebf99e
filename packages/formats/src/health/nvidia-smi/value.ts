/** How a field's text becomes a number in the catalogue's unit. `unit` text that is not expected is a fault, never a guess. */
export type ValueReader = (text: string) => ReadValue;

export type ReadValue =
  | { readonly kind: "number"; readonly value: number }
  /** The source says that it has none. */
  | { readonly kind: "absent" }
  | { readonly kind: "fault"; readonly why: string };

const ABSENT = /^\[?(?:N\/A|Not Supported|Not Found|None|Requested functionality has been deprecated|Insufficient Permissions)\]?$/i;
/** What stands in the place of a value when the GPU or the driver has failed. */
const FAILED = /^\[?(?:ERR!|Unknown Error|GPU is lost|GPU requires reset|Reset Required|Timeout|Driver\/library version mismatch)\]?$/i;
const NUMBER = /^(-?\d+(?:\.\d+)?(?:e[+-]?\d+)?) ?(\S.*)?$/i;

function guarded(read: ValueReader): ValueReader {
  return (raw) => {
    const text = raw.trim();
    if (text === "" || ABSENT.test(text)) return { kind: "absent" };
    if (FAILED.test(text)) return { kind: "fault", why: `nvidia-smi has no value but "${text}"` };
    return read(text);
  };
}

/** A number with one of these units; the factor makes it the catalogue's. The empty unit allows none to be named. */
export function quantity(factors: Readonly<Record<string, number>>): ValueReader {
  const known = new Map(Object.entries(factors));
  return guarded((text) => {
    const [, number, unit = ""] = NUMBER.exec(text) ?? [];
    if (number === undefined) return { kind: "fault", why: `"${text}" is no number` };
    const factor = known.get(unit);
    if (factor === undefined)
      return { kind: "fault", why: `the unit of "${text}" is not ${[...known.keys()].filter((each) => each !== "").join(" or ")}` };
    return { kind: "number", value: Number(number) * factor };
  });
}

/** A number without a unit. */
export const count: ValueReader = quantity({ "": 1 });

/** One of these words. */
export function words(values: Readonly<Record<string, number>>): ValueReader {
  const known = new Map(Object.entries(values));
  return (raw) => {
    const value = known.get(raw.trim().toLowerCase());
    return value === undefined
      ? guarded((text) => ({ kind: "fault", why: `"${text}" is not known here` }))(raw)
      : { kind: "number", value };
  };
}

export const flag: ValueReader = words({ yes: 1, no: 0, active: 1, "not active": 0 });

/** `P0`. */
export const performanceState: ValueReader = guarded((text) => {
  const state = /^P(\d{1,2})$/.exec(text)?.[1];
  return state === undefined ? { kind: "fault", why: `"${text}" is no performance state` } : { kind: "number", value: Number(state) };
});

/** `0x0000000000000001`. */
export const bits: ValueReader = guarded((text) =>
  /^0x[0-9a-f]{1,13}$|^0x0+[0-9a-f]{1,13}$/i.test(text)
    ? { kind: "number", value: Number(text) }
    : { kind: "fault", why: `"${text}" is no set of bits` },
);
