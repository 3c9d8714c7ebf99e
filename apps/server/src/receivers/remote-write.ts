import type { IncomingHttpHeaders } from "node:http";
import { AppError } from "@trainwatch/core";
import type { IntakeOutcome } from "./intake.ts";
import { mediaTypeOf } from "./media-type.ts";
import type { Receiver, ReceiverAnswer } from "./receiver.ts";
import { refusedWords } from "./refused-words.ts";
import type { RemoteWriteRequest } from "./remote-write-columns.ts";
import { readRemoteWriteV1 } from "./remote-write-v1.ts";
import { readRemoteWriteV2 } from "./remote-write-v2.ts";
import { inflateSnappy, snappyLength } from "./snappy-block.ts";
import { WireFault } from "./wire-reader.ts";

const ID = "remote-write";
const MEDIA_TYPE = "application/x-protobuf";
/** A request of 2,000 samples with long labels has 100 kB, and inflated 1 MB. */
const BODY_LIMIT_BYTES = 16 * 1024 * 1024;
const INFLATED_LIMIT_BYTES = 64 * 1024 * 1024;

interface Version {
  readonly read: (bytes: Buffer) => RemoteWriteRequest;
  /** What makes a request fail in this version, beside samples that are refused. */
  readonly unkept: (request: RemoteWriteRequest) => readonly string[];
}

const histogramsIn = ({ histograms }: RemoteWriteRequest): readonly string[] =>
  histograms === 0 ? [] : [`${histograms} native histograms are not stored: leave send_native_histograms off`];

/**
 * By the `proto` parameter. What is not kept is told as the specifications ask: 2.0 forbids a 2xx where samples, histograms or exemplars were
 * not written. 1.0 knows no exemplars (an unknown field of protobuf, ignored), but histograms are samples to whoever turned them on.
 * Metadata is neither in either: nobody counts on it, and every request of 2.0 has it.
 */
const VERSIONS: ReadonlyMap<string, Version> = new Map([
  ["prometheus.WriteRequest", { read: readRemoteWriteV1, unkept: histogramsIn }],
  [
    "io.prometheus.write.v2.Request",
    {
      read: readRemoteWriteV2,
      unkept: (request: RemoteWriteRequest) => [
        ...histogramsIn(request),
        ...(request.exemplars === 0 ? [] : [`${request.exemplars} exemplars are not stored: leave send_exemplars off`]),
      ],
    },
  ],
]);

/** https://prometheus.io/docs/specs/prw/remote_write_spec/ and …/remote_write_spec_2_0/ */
export const remoteWrite: Receiver = {
  id: ID,
  path: "/api/v1/write",
  bodyLimitBytes: BODY_LIMIT_BYTES,

  unsupported(headers) {
    const encoding = headers["content-encoding"];
    // Left out by some senders of 1.0; Prometheus takes it for snappy too.
    if (encoding !== undefined && encoding.toLowerCase() !== "snappy")
      return `Content-Encoding ${encoding} is not supported; send snappy (block format).`;
    if (versionOf(headers) === null)
      return `Content-Type ${headers["content-type"] ?? ""} is not supported; send ${MEDIA_TYPE} with proto=${[...VERSIONS.keys()].join(" or proto=")}.`;
    return null;
  },

  async receive({ headers, body, sender }, { intake, counters, memory }) {
    const version = versionOf(headers);
    if (version === null) throw new Error("a request of no known version was not refused");
    return memory.hold(inflatedLength(body), async () => {
      const request = readRequest(version, inflate(body));
      const outcome = await intake.store(sender, request);
      counters.stored(ID, outcome);
      counters.notKept(ID, "histograms", request.histograms);
      counters.notKept(ID, "exemplars", request.exemplars);
      counters.notKept(ID, "metadata", request.metadata);
      return answer(outcome, version.unkept(request));
    });
  },

  /** 429 becomes 503: a sender may drop what was answered 429 (Prometheus does, unless `retry_on_http_429` is set), and must retry after 5xx. */
  refuse({ status, message, retryAfterS }) {
    return {
      status: status === 429 ? 503 : status,
      headers: { ...plainText(), ...(retryAfterS === null ? {} : { "retry-after": String(retryAfterS) }) },
      body: `${message}\n`,
    };
  },
};

function versionOf(headers: IncomingHttpHeaders): Version | null {
  const header = headers["content-type"];
  const { type, parameter } = mediaTypeOf(header, "proto");
  if (header !== undefined && type !== MEDIA_TYPE) return null;
  return VERSIONS.get(parameter ?? "prometheus.WriteRequest") ?? null;
}

/** What the block's head says, before a byte is inflated. */
function inflatedLength(body: Buffer): number {
  const length = snappyLength(body);
  if (length === null) throw notReadable("it is no snappy block (block format, not framed)");
  if (length <= INFLATED_LIMIT_BYTES) return length;
  throw new AppError(
    "too-large",
    `The request inflates to ${length} bytes; at most ${INFLATED_LIMIT_BYTES} are read. Send fewer samples a request.`,
    { details: { limitBytes: INFLATED_LIMIT_BYTES } },
  );
}

function inflate(body: Buffer): Buffer {
  const bytes = inflateSnappy(body);
  if (bytes === null) throw notReadable("its snappy block is damaged");
  return bytes;
}

function readRequest({ read }: Version, bytes: Buffer): RemoteWriteRequest {
  try {
    return read(bytes);
  } catch (error) {
    if (error instanceof WireFault) throw notReadable(`its protobuf is damaged (${error.message})`, error);
    throw error;
  }
}

function notReadable(why: string, cause?: unknown): AppError {
  return new AppError("bad-request", `The request cannot be read: ${why}. Nothing was stored.`, { cause });
}

function answer(outcome: IntakeOutcome, unkept: readonly string[]): ReceiverAnswer {
  const written = outcome.accepted + outcome.repeated;
  const headers = {
    "x-prometheus-remote-write-samples-written": String(written),
    "x-prometheus-remote-write-histograms-written": "0",
    "x-prometheus-remote-write-exemplars-written": "0",
  };
  const refused = outcome.refusedTotal;
  if (refused === 0 && unkept.length === 0) return { status: 204, headers, body: null };
  const faults = [
    ...(refused === 0 ? [] : [`${refused} of ${written + refused} samples were refused: ${refusedWords(outcome.refused)}`]),
    ...unkept,
  ];
  return { status: 400, headers: { ...headers, ...plainText() }, body: `${faults.join("; ")}. The other ${written} samples are stored.\n` };
}

function plainText(): Readonly<Record<string, string>> {
  return { "content-type": "text/plain; charset=utf-8" };
}
