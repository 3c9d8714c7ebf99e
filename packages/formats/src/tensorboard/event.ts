import { decodeUtf8 } from "../text/utf8-decoder.ts";
import { tensorScalar } from "./tensor-scalar.ts";
import { readDouble, readFields, readFloat } from "./wire.ts";

/** What a training log needs of a TensorBoard `Event` (event.proto of TensorFlow). */
export interface TensorboardEvent {
  /** Epoch seconds. */
  readonly wallTime: number | undefined;
  /** Exact; a bigint where it is negative or beyond 2^53. */
  readonly step: number | bigint;
  /** `brain.Event:2`, in the first event of a file. */
  readonly fileVersion: string | undefined;
  readonly scalars: readonly (readonly [tag: string, value: number])[];
  /** Values of other kinds: images, histograms, text. */
  readonly otherValues: number;
  readonly session: SessionLog | undefined;
}

/** A word of the trainer about its own life. */
export interface SessionLog {
  readonly status: "start" | "stop" | "checkpoint" | "unspecified";
  readonly checkpointPath: string | undefined;
}

const STATUS = ["unspecified", "start", "stop", "checkpoint"] as const;

/** Undefined when the bytes are no message of that kind. */
export function readEvent(message: Uint8Array): TensorboardEvent | undefined {
  let wallTime: number | undefined;
  let step: number | bigint = 0;
  let fileVersion: string | undefined;
  let session: SessionLog | undefined;
  const scalars: (readonly [string, number])[] = [];
  let otherValues = 0;
  let readable = true;
  const whole = readFields(message, ({ number, type, varint, bytes }) => {
    if (number === 1 && type === 1) wallTime = readDouble(bytes);
    else if (number === 2 && type === 0) step = varint;
    else if (number === 3 && type === 2) fileVersion = decodeUtf8(bytes);
    else if (number === 7 && type === 2) session = readSession(bytes);
    else if (number === 5 && type === 2) {
      readable &&= readFields(bytes, (value) => {
        if (value.number !== 1 || value.type !== 2) return;
        const read = readValue(value.bytes);
        if (read === undefined) otherValues++;
        else scalars.push(read);
      });
    }
  });
  return whole && readable ? { wallTime, step, fileVersion, scalars, otherValues, session } : undefined;
}

/** `Summary.Value`: a scalar as `simple_value` (TensorFlow 1, PyTorch) or as a tensor of one element (TensorFlow 2). */
function readValue(message: Uint8Array): readonly [tag: string, value: number] | undefined {
  let tag = "";
  let value: number | undefined;
  readFields(message, ({ number, type, bytes }) => {
    if (number === 1 && type === 2) tag = decodeUtf8(bytes);
    else if (number === 2 && type === 5) value = readFloat(bytes);
    else if (number === 8 && type === 2) value ??= tensorScalar(bytes);
  });
  return tag === "" || value === undefined ? undefined : [tag, value];
}

function readSession(message: Uint8Array): SessionLog {
  let status: SessionLog["status"] = "unspecified";
  let checkpointPath: string | undefined;
  readFields(message, ({ number, type, varint, bytes }) => {
    if (number === 1 && type === 0) status = STATUS[Number(varint)] ?? "unspecified";
    else if (number === 2 && type === 2) checkpointPath = decodeUtf8(bytes);
  });
  return { status, checkpointPath };
}
