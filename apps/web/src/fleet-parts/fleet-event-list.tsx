import type { FleetEventView } from "@trainwatch/core";
import { Cell, formatInteger, HeadCell, Row, SeverityWord, Table } from "@trainwatch/ui";
import { When } from "../clock/when.tsx";

const KINDS: Readonly<Record<FleetEventView["kind"], string>> = {
  xid: "XID",
  sxid: "SXid",
  oom: "out of memory",
  nccl: "NCCL",
  "fabric-manager": "fabric manager",
  "link-down": "link down",
  "link-up": "link up",
  "gpu-lost": "GPU lost",
  "gpu-replaced": "GPU replaced",
  reboot: "reboot",
  "clock-jump": "clock jumped",
  "spool-full": "spool full",
  "source-failed": "source failed",
  kernel: "kernel",
};

export function eventWord({ kind, code }: Pick<FleetEventView, "kind" | "code">): string {
  return code === null ? KINDS[kind] : `${KINDS[kind]} ${code}`;
}

/** Events of nodes and GPUs, newest first; a burst is one line with its count. */
export function FleetEventList({
  events,
  label,
  withHost,
}: {
  readonly events: readonly FleetEventView[];
  readonly label: string;
  readonly withHost: boolean;
}) {
  return (
    <Table
      label={label}
      density="tight"
      head={
        <>
          <HeadCell>Severity</HeadCell>
          <HeadCell>When</HeadCell>
          {withHost ? <HeadCell>Node</HeadCell> : null}
          <HeadCell>What</HeadCell>
          <HeadCell numeric title="Within one burst: over after three minutes of silence">
            Times
          </HeadCell>
          <HeadCell>As it was said</HeadCell>
        </>
      }
    >
      {events.map((event) => (
        <Row key={event.id}>
          <Cell>
            <SeverityWord mark={event.severity} />
          </Cell>
          <Cell>
            <When ms={event.timeMs} show="absolute" />
          </Cell>
          {withHost ? <Cell mono>{event.host}</Cell> : null}
          <Cell>{eventWord(event)}</Cell>
          <Cell numeric>{formatInteger(event.count)}</Cell>
          <Cell wrap>{event.text}</Cell>
        </Row>
      ))}
    </Table>
  );
}
