import { decodeUtf8 } from "../../text/utf8-decoder.ts";
import { type EvalFormat, type EvalOptions, type EvalParser, type EvalSink, MOST_DOCUMENT_BYTES } from "../format.ts";
import { objectOf } from "../json/json-fields.ts";
import { type JsonObject, readJson } from "../json/json-value.ts";
import { jsonGauge, MOST_VALUE_BYTES } from "../memory-gauge.ts";
import { readHead } from "./json-log.ts";
import { type ZipMember, zipDirectory } from "./zip-directory.ts";
import { MOST_ARCHIVE_BYTES, unzipMember } from "./zip-member.ts";

const HEADER = "header.json";
const START = "_journal/start.json";
const MEMBER_NAMES = /^(?:_journal\/|header\.json$|samples\/|summaries\.json$|reductions\.json$)/;
const SAMPLE = /^samples\/.+\.json$/;

/** Inspect's archive: a zip with the head of the log, and each sample in a member of its own. */
export const inspectArchive = {
  id: "inspect-eval",
  title: "Inspect log, .eval",
  source: "`.eval` log of UK AISI's Inspect: a zip archive, deflate or (since 0.3.206) zstd.",
  sniff: (head) => (MEMBER_NAMES.test(firstMember(head)) ? 0.95 : 0),
  parser: archiveParser,
} satisfies EvalFormat;

/** Name of the archive's first member, which stands in its head. */
function firstMember(head: Uint8Array): string {
  if (head.length < 30 || head[0] !== 0x50 || head[1] !== 0x4b || head[2] !== 3 || head[3] !== 4) return "";
  const length = (head[26] ?? 0) + (head[27] ?? 0) * 256;
  return decodeUtf8(head.subarray(30, 30 + length));
}

function archiveParser(sink: EvalSink, options: EvalOptions): EvalParser {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  return {
    push(chunk) {
      bytes += chunk.length;
      if (bytes > MOST_DOCUMENT_BYTES) chunks.length = 0;
      else chunks.push(chunk.slice());
    },
    end() {
      if (bytes > MOST_DOCUMENT_BYTES)
        return sink.issue({
          line: 1,
          code: "too-large",
          message: `The archive is larger than the ${Math.ceil(MOST_DOCUMENT_BYTES / (1 << 20))} MiB that are read at once, and nothing of it was taken; evaluate fewer tasks or epochs a log, or take its header alone: \`inspect log dump --header-only\`.`,
        });
      const whole = new Uint8Array(bytes);
      let at = 0;
      for (const chunk of chunks.splice(0)) {
        whole.set(chunk, at);
        at += chunk.length;
      }
      readArchive(whole, sink, options);
    },
  };
}

function readArchive(archive: Uint8Array, sink: EvalSink, options: EvalOptions): void {
  const directory = zipDirectory(archive);
  if ("fault" in directory) return sink.issue({ line: 1, code: "bad-archive", message: `The archive cannot be read: ${directory.fault}.` });
  let unpacked = 0;
  const read = (member: ZipMember): JsonObject | null => {
    unpacked += member.size;
    if (unpacked > MOST_ARCHIVE_BYTES) return refuse(member, `the archive unpacks to more than ${MOST_ARCHIVE_BYTES} bytes`, sink);
    const found = unzipMember(archive, member);
    if ("fault" in found) return refuse(member, found.fault, sink);
    const gauge = jsonGauge();
    gauge.add(found.bytes);
    if (gauge.bytes() > MOST_VALUE_BYTES) return refuse(member, "it holds more values than fit the memory", sink);
    const json = readJson(decodeUtf8(found.bytes));
    const object = "value" in json ? objectOf(json.value) : null;
    return object ?? refuse(member, "fault" in json ? `its JSON is damaged (${json.fault})` : "it holds no object", sink);
  };
  const byName = (name: string): JsonObject | null => {
    const member = directory.members.find((each) => each.name === name);
    return member === undefined ? null : read(member);
  };
  const head = byName(HEADER) ?? byName(START);
  if (head === null)
    return sink.issue({
      line: 1,
      code: "bad-archive",
      message: `The archive has neither ${HEADER} nor ${START} that can be read: it is no Inspect log.`,
    });
  const reader = readHead(head, sink, options);
  if (reader === null) return;
  const members = directory.members.filter(({ name }) => SAMPLE.test(name));
  if (members.length === 0) sink.issue({ line: 1, code: "no-samples", message: "The archive has no samples: only its results were read." });
  for (const [at, member] of members.entries()) {
    const sample = read(member);
    if (sample !== null) reader.sample(sample);
    if (unpacked <= MOST_ARCHIVE_BYTES) continue;
    sink.issue({
      line: 1,
      code: "too-large",
      message: `${members.length - at} of ${members.length} samples were left out for the archive's size.`,
    });
    break;
  }
  reader.end();
}

function refuse(member: ZipMember, why: string, sink: EvalSink): null {
  sink.issue({ line: 1, code: "bad-member", message: `The member "${member.name.slice(0, 120)}" was left out: ${why}.` });
  return null;
}
