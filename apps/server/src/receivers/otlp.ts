import type { IncomingHttpHeaders } from "node:http";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { BinaryWriter } from "@bufbuild/protobuf/wire";
import { AppError } from "@trainwatch/core";
import { z } from "zod";
import { createCounterStarts, type CounterStarts } from "./counter-starts.ts";
import type { IntakeOutcome } from "./intake.ts";
import { mediaTypeOf } from "./media-type.ts";
import { readOtlpJson } from "./otlp-json.ts";
import type { OtlpResource } from "./otlp-model.ts";
import { readOtlpProtobuf } from "./otlp-protobuf.ts";
import { otlpReadings, type OtlpReadings } from "./otlp-readings.ts";
import type { Receiver, ReceiverAnswer } from "./receiver.ts";
import { refusedWords } from "./refused-words.ts";
import { WireFault, WireReader } from "./wire-reader.ts";

const ID = "otlp";
const PROTOBUF = "application/x-protobuf";
const JSON_TYPE = "application/json";
/** The specification recommends 20 MiB, before and after decompression. */
const BODY_LIMIT_BYTES = 20 * 1024 * 1024;
const INFLATED_LIMIT_BYTES = BODY_LIMIT_BYTES;

const inflateGzip = promisify(gunzip);

/** OTLP/HTTP metrics: https://opentelemetry.io/docs/specs/otlp/#otlphttp. The memory of counter starts is one a server. */
export function createOtlp(starts: CounterStarts = createCounterStarts()): Receiver {
  return {
    id: ID,
    path: "/v1/metrics",
    bodyLimitBytes: BODY_LIMIT_BYTES,

    unsupported(headers) {
      const encoding = headers["content-encoding"]?.toLowerCase() ?? "identity";
      if (encoding !== "identity" && encoding !== "gzip") return `Content-Encoding ${encoding} is not supported; send gzip or none.`;
      const type = typeOf(headers);
      if (type === PROTOBUF || type === JSON_TYPE) return null;
      return `Content-Type ${type} is not supported; send ${PROTOBUF} or ${JSON_TYPE}.`;
    },

    async receive({ headers, body, sender }, { intake, counters, memory }) {
      const isJson = typeOf(headers) === JSON_TYPE;
      const bytes = await inflate(headers, body);
      return memory.hold(bytes.length, async () => {
        const readings = otlpReadings(readRequest(bytes, isJson), starts);
        const outcome = await intake.store(sender, readings.columns);
        for (const { key, startMs, timeMs } of readings.starts) starts.settle(key, startMs, timeMs);
        counters.stored(ID, outcome);
        return answer(partialSuccess(readings, outcome), isJson);
      });
    },

    /** A `google.rpc.Status` in the request's own type; only its message is looked at. */
    refuse({ status, message, retryAfterS }, headers) {
      const isProtobuf = typeOf(headers) === PROTOBUF;
      return {
        status,
        headers: {
          "content-type": isProtobuf ? PROTOBUF : JSON_TYPE,
          ...(retryAfterS === null ? {} : { "retry-after": String(retryAfterS) }),
        },
        body: isProtobuf ? Buffer.from(new BinaryWriter().tag(2, 2).string(message).finish()) : jsonBytes({ message }),
      };
    },
  };
}

function typeOf(headers: IncomingHttpHeaders): string {
  return mediaTypeOf(headers["content-type"], "").type;
}

async function inflate(headers: IncomingHttpHeaders, body: Buffer): Promise<Buffer> {
  if (headers["content-encoding"]?.toLowerCase() !== "gzip") return body;
  try {
    return await inflateGzip(body, { maxOutputLength: INFLATED_LIMIT_BYTES });
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE")
      throw new AppError(
        "too-large",
        `The request inflates to more than ${INFLATED_LIMIT_BYTES} bytes. Send fewer data points a request.`,
        {
          details: { limitBytes: INFLATED_LIMIT_BYTES },
        },
      );
    throw notReadable("its gzip stream is damaged", error);
  }
}

function readRequest(bytes: Buffer, isJson: boolean): readonly OtlpResource[] {
  try {
    return isJson ? readOtlpJson(bytes.toString("utf8")) : readOtlpProtobuf(new WireReader(bytes));
  } catch (error) {
    if (error instanceof WireFault) throw notReadable(`its protobuf is damaged (${error.message})`, error);
    if (error instanceof SyntaxError) throw notReadable(`it is no JSON (${error.message})`, error);
    if (error instanceof z.ZodError) {
      const [issue] = error.issues;
      throw notReadable(`${issue?.path.join(".") ?? "it"}: ${issue?.message ?? "does not fit"}`, error);
    }
    throw error;
  }
}

function notReadable(why: string, cause: unknown): AppError {
  return new AppError("bad-request", `The request cannot be read: ${why}. Nothing was stored.`, { cause });
}

interface PartialSuccess {
  readonly rejectedDataPoints: number;
  readonly errorMessage: string;
}

/** Null where everything is stored: the field must be unset then. */
function partialSuccess({ columns, rejected }: OtlpReadings, outcome: IntakeOutcome): PartialSuccess | null {
  // A counter's zero that could not be stored is nothing that the sender has sent.
  const asked = outcome.refused.filter(({ reading }) => (columns.pointOf[reading] ?? -1) >= 0);
  const points = new Set(asked.map(({ reading }) => columns.pointOf[reading]));
  // Those that the list has no room for count as a point each.
  const refused = points.size + outcome.refusedTotal - outcome.refused.length;
  const before = [...rejected.values()].reduce((sum, count) => sum + count, 0);
  if (refused + before === 0) return null;
  const reasons = [...rejected].map(([reason, count]) => `${count} data points: ${reason}`);
  if (refused > 0) reasons.push(`${refused} data points: ${refusedWords(asked)}`);
  return { rejectedDataPoints: refused + before, errorMessage: `Not stored: ${reasons.join("; ")}. Do not send them again.` };
}

function answer(partial: PartialSuccess | null, isJson: boolean): ReceiverAnswer {
  return { status: 200, headers: { "content-type": isJson ? JSON_TYPE : PROTOBUF }, body: isJson ? jsonOf(partial) : protobufOf(partial) };
}

/** A number of 64 bits is text in protobuf's JSON. */
function jsonOf(partial: PartialSuccess | null): Buffer {
  if (partial === null) return jsonBytes({});
  return jsonBytes({ partialSuccess: { rejectedDataPoints: String(partial.rejectedDataPoints), errorMessage: partial.errorMessage } });
}

/** As bytes: to text the server would add a charset, and the answer's type must be the request's. */
function jsonBytes(value: object): Buffer {
  return Buffer.from(JSON.stringify(value));
}

function protobufOf(partial: PartialSuccess | null): Buffer {
  const writer = new BinaryWriter();
  if (partial !== null) writer.tag(1, 2).fork().tag(1, 0).int64(partial.rejectedDataPoints).tag(2, 2).string(partial.errorMessage).join();
  return Buffer.from(writer.finish());
}
