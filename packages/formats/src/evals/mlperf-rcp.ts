import { decodeUtf8 } from "../text/utf8-decoder.ts";
import type { EvalRefusal } from "./format.ts";
import { fieldOf, listOf, objectOf } from "./json/json-fields.ts";
import { headValues } from "./json/json-value.ts";

/** Reference convergence points: how many samples a reference needs, over seeds. They hold no result of a checkpoint. */
export const mlperfRcp = {
  id: "mlperf-rcp",
  message:
    "The content is a set of MLPerf reference convergence points (samples to the target quality by batch size); it holds no evaluation of a model. MLPerf result logs are read as training logs.",
  sniff(head) {
    const [document] = headValues(decodeUtf8(head), 1);
    const points = Object.values(objectOf(document) ?? {}).map((point) => objectOf(point ?? null));
    return points.some(
      (point) => listOf(fieldOf(point, "samples to converge")) !== null || listOf(fieldOf(point, "Epochs to converge")) !== null,
    );
  },
} satisfies EvalRefusal;
