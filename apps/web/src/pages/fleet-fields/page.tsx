import type { FleetCatalogueEntry, FleetField } from "@trainwatch/core";
import {
  Cell,
  EmptyState,
  formatInteger,
  HeadCell,
  HiddenHeading,
  MISSING,
  Page,
  Row,
  Segmented,
  SkeletonRows,
  Table,
  TextField,
  TitleRow,
  Toolbar,
  Text,
} from "@trainwatch/ui";
import { useState } from "react";
import { useFleetCatalogue } from "../../data/fleet.ts";
import { LoadedView } from "../../loaded-view/loaded-view.tsx";
import { ButtonLink } from "../../routing/link.tsx";
import { boundsText, chosenFields, type FieldChoice } from "./field-words.ts";

/** Every field that Trainwatch understands, and how it reads it: the catalogue decides, not an exporter's TYPE line. */
export function FleetFieldsPage() {
  const catalogue = useFleetCatalogue();
  return (
    <Page label="Fields">
      <title>Fields · Trainwatch</title>
      <LoadedView loaded={catalogue} what="The catalogue" skeleton={<FieldsSkeleton />}>
        {(data) => <Fields all={data} />}
      </LoadedView>
    </Page>
  );
}

function Fields({ all }: { readonly all: readonly FleetCatalogueEntry[] }) {
  const [text, setText] = useState("");
  const [which, setWhich] = useState<FieldChoice>("all");
  const shown = chosenFields(all, text, which);
  return (
    <>
      <TitleRow
        title="Fields"
        note={`${formatInteger(all.length)} that Trainwatch understands, ${formatInteger(all.filter(({ series }) => series > 0).length)} of them sent`}
        actions={
          <>
            <ButtonLink to="/fleet/coverage" size="small" kind="quiet">
              Coverage
            </ButtonLink>
            <ButtonLink to="/fleet" size="small" kind="quiet">
              Map
            </ButtonLink>
          </>
        }
      />
      <Toolbar label="Filter">
        <TextField
          label="Name, title or signal"
          labelHidden
          placeholder="Name, title or signal"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <Segmented
          label="Which fields"
          value={which}
          options={[
            { value: "all", label: "All" },
            { value: "sent", label: "Sent" },
            { value: "not-sent", label: "Not sent" },
          ]}
          onChange={setWhich}
        />
        <Text tone="label" size="label">{`${formatInteger(shown.length)} of ${formatInteger(all.length)}`}</Text>
      </Toolbar>
      {shown.length === 0 ? <EmptyState title="No field fits this filter" /> : <FieldTable fields={shown} />}
    </>
  );
}

const KINDS = {
  gauge: "level",
  counter: "counter, read as a rate",
  "windowed-count": "count in a sliding window",
  state: "state",
  "last-event": "code of the last event",
} as const satisfies Record<FleetField["kind"], string>;

function FieldTable({ fields }: { readonly fields: readonly FleetCatalogueEntry[] }) {
  return (
    <Table
      label="Fields"
      density="tight"
      head={
        <>
          <HeadCell>Title</HeadCell>
          <HeadCell>Field</HeadCell>
          <HeadCell>Kind</HeadCell>
          <HeadCell>Unit</HeadCell>
          <HeadCell>Of a</HeadCell>
          <HeadCell wide>Signal</HeadCell>
          <HeadCell title="Outside of these it is no reading">Bounds</HeadCell>
          <HeadCell numeric wide title="Values that mean: not available">
            Sentinels
          </HeadCell>
          <HeadCell numeric>Series</HeadCell>
          <HeadCell wide>Also called</HeadCell>
          <HeadCell wide>Documented in</HeadCell>
        </>
      }
    >
      {fields.map((field) => (
        <Row key={field.name} muted={field.series === 0}>
          <Cell maxWidthPx={260} title={field.title}>
            {field.title}
          </Cell>
          <Cell mono maxWidthPx={300} title={field.name}>
            {field.name}
          </Cell>
          <Cell>{KINDS[field.kind]}</Cell>
          <Cell>{field.unit === "" ? MISSING : field.unit}</Cell>
          <Cell>{field.entity === "gpu" ? "GPU" : field.entity}</Cell>
          <Cell wide>{field.signal ?? MISSING}</Cell>
          <Cell>{boundsText(field)}</Cell>
          <Cell numeric wide title={field.sentinels.join(", ")}>
            {field.sentinels.length === 0 ? MISSING : formatInteger(field.sentinels.length)}
          </Cell>
          <Cell numeric>{formatInteger(field.series)}</Cell>
          <Cell wide mono maxWidthPx={220} title={field.aliases.join(", ")}>
            {field.aliases.length === 0 ? MISSING : field.aliases.join(", ")}
          </Cell>
          <Cell wide maxWidthPx={180} title={field.source}>
            {field.source}
          </Cell>
        </Row>
      ))}
    </Table>
  );
}

function FieldsSkeleton() {
  return (
    <>
      <HiddenHeading>Fields</HiddenHeading>
      <SkeletonRows label="fields" rows={16} heightPx={24} />
    </>
  );
}
