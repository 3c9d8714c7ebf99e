import type { FleetLinksView } from "@trainwatch/core";
import { Cell, EmptyState, formatCompact, HeadCell, Row, Section, SeverityWord, Table, UnknownWord } from "@trainwatch/ui";
import { errorRateText } from "@trainwatch/ui/charts/fleet";
import { gpuWord, type NodeGpu } from "./node-gpu.ts";

type LinkView = FleetLinksView["links"][number];

/** The links in numbers, those with errors first. What no source tells is "unknown", never zero and never OK. */
export function LinkTable({ view, gpus }: { readonly view: FleetLinksView; readonly gpus: readonly NodeGpu[] }) {
  const links = [...view.links].sort((a, b) => badness(b) - badness(a));
  return (
    <Section plain title="Links" note="worst first">
      {links.length === 0 ? (
        <EmptyState title="Unknown">No source sends links one by one on this node.</EmptyState>
      ) : (
        <Table
          label="Links"
          density="tight"
          head={
            <>
              <HeadCell>GPU</HeadCell>
              <HeadCell numeric>Link</HeadCell>
              <HeadCell>State</HeadCell>
              <HeadCell numeric>Sent, GB/s</HeadCell>
              <HeadCell numeric>Received, GB/s</HeadCell>
              <HeadCell numeric title="CRC, replay and recovery, over five minutes">
                Errors /s
              </HeadCell>
            </>
          }
        >
          {links.map((link) => (
            <Row key={link.id} muted={link.state === "unknown" && link.txPerS === null && link.errorsPerS === null}>
              <Cell>{gpuWord(link.gpuId, gpus)}</Cell>
              <Cell numeric>{link.port}</Cell>
              <Cell>
                {link.state === "unknown" ? (
                  <UnknownWord />
                ) : link.state === "down" ? (
                  <SeverityWord mark="critical">down</SeverityWord>
                ) : (
                  "up"
                )}
              </Cell>
              <Cell numeric>{rate(link.txPerS)}</Cell>
              <Cell numeric>{rate(link.rxPerS)}</Cell>
              <Cell numeric bold={(link.errorsPerS ?? 0) > 0}>
                {link.errorsPerS === null ? <UnknownWord /> : errorRateText(link.errorsPerS)}
              </Cell>
            </Row>
          ))}
        </Table>
      )}
    </Section>
  );
}

function badness({ state, errorsPerS }: LinkView): number {
  return (state === "down" ? 1e12 : 0) + (errorsPerS ?? 0);
}

function rate(perS: number | null) {
  return perS === null ? <UnknownWord /> : formatCompact(perS / 1e9).text;
}
