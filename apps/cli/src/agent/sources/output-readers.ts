import { expositionParser, infinibandToolsParser, nvidiaSmiParser, nvidiaSmiXmlParser } from "@trainwatch/formats";
import type { HealthOptions, HealthParser, HealthSink } from "@trainwatch/formats";

/** How the output of a command is read. */
export type OutputReader = (sink: HealthSink, options: HealthOptions) => HealthParser;

const exposition: OutputReader = (sink) => {
  const parser = expositionParser(
    {
      sample: (sample) => sink.reading(sample),
      issue: (issue) => sink.issue(issue),
    },
    { format: "text" },
  );
  return { push: (chunk) => parser.push(chunk), end: () => void parser.end() };
};

/** Readers of commands' outputs, by what the configuration calls them. */
export const OUTPUT_READERS = {
  "nvidia-smi": nvidiaSmiParser,
  "nvidia-smi-xml": nvidiaSmiXmlParser,
  "infiniband-tools": infinibandToolsParser,
  exposition,
} as const satisfies Readonly<Record<string, OutputReader>>;
export type OutputReaderName = keyof typeof OUTPUT_READERS;
export const OUTPUT_READER_NAMES = [
  "nvidia-smi",
  "nvidia-smi-xml",
  "infiniband-tools",
  "exposition",
] as const satisfies readonly OutputReaderName[];
