import { metricWords, sayExact, sayQuantity, type DetectorView, type Rule } from "@trainwatch/core";
import { formatCount, metricTitle } from "@trainwatch/ui";
import { parameterWord } from "../../../words/detector-words.ts";

/** "Loss above 4.5 nats for 3 points"; or what differs from the detector's defaults. */
export function ruleWord(rule: Rule, detector: DetectorView | undefined): string {
  if (rule.kind === "metric") {
    const words = metricWords(rule.metric, [rule.value]);
    const limit = `${metricTitle(rule.metric)} ${rule.condition} ${sayQuantity(sayExact(words.scaled(rule.value)), words.unit ?? "")}`;
    return rule.forPoints === 1 ? limit : `${limit} for ${formatCount(rule.forPoints, "point")}`;
  }
  const changed = Object.entries(rule.parameters).map(([name, value]) => {
    const parameter = detector?.parameters.find((each) => each.name === name);
    return `${name} ${parameterWord(value, parameter?.unit ?? "")}${parameter === undefined ? "" : ` (default ${parameterWord(parameter.value, "")})`}`;
  });
  return changed.length === 0 ? "defaults" : changed.join(", ");
}

/** What a rule is called in a list. */
export function ruleTitle(rule: Rule, detector: DetectorView | undefined): string {
  return rule.kind === "metric" ? rule.title : (detector?.title ?? rule.detector);
}
