import { BarMenu, Button, ClockText, formatClock, formatDate, MenuLine, Segmented, Text, TextField, zoneName } from "@trainwatch/ui";
import { useState, type FormEvent } from "react";
import { useNow } from "../clock/now.tsx";
import { BROWSER_ZONE, useZone, zoneOf } from "../zone/zone.tsx";
import { isZone } from "../zone/is-zone.ts";

type ZoneKind = "utc" | "browser" | "named";

function kindOf(choice: string): ZoneKind {
  if (choice === "UTC") return "utc";
  return choice === BROWSER_ZONE ? "browser" : "named";
}

/** The clock in the page's zone; pressed, it offers the others. Every time on the page follows. */
export function ClockMenu() {
  const nowMs = useNow();
  const { zone, choice, choose } = useZone();
  const name = zoneName(zone, nowMs);
  const date = formatDate(nowMs, zone, nowMs);
  const clock = formatClock(nowMs, zone);
  const [asked, setAsked] = useState<ZoneKind | null>(null);
  const kind = asked ?? kindOf(choice);
  const pick = (next: ZoneKind): void => {
    setAsked(next);
    if (next === "utc") choose("UTC");
    if (next === "browser") choose(BROWSER_ZONE);
  };
  return (
    <BarMenu label={`${date} ${clock} ${name}: change the time zone`} face={<ClockText date={date} clock={clock} zone={name} />}>
      <MenuLine label="Times in">
        <Segmented
          label="Time zone"
          value={kind}
          onChange={pick}
          options={[
            { value: "utc", label: "UTC" },
            { value: "browser", label: "This browser" },
            { value: "named", label: "Another" },
          ]}
        />
      </MenuLine>
      {kind === "named" ? <NamedZone current={zone} onChoose={choose} /> : null}
      <Text size="label" tone="label">
        {`This browser is in ${zoneOf(BROWSER_ZONE)}. The zone is part of every shared link.`}
      </Text>
    </BarMenu>
  );
}

function NamedZone({ current, onChoose }: { readonly current: string; readonly onChoose: (zone: string) => void }) {
  const [name, setName] = useState(current);
  const [isUnknown, setIsUnknown] = useState(false);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const known = isZone(name.trim());
    setIsUnknown(!known);
    if (known) onChoose(name.trim());
  };
  return (
    <form onSubmit={submit}>
      <MenuLine label="IANA name">
        <TextField
          label="IANA name of the zone"
          labelHidden
          value={name}
          onChange={(event) => setName(event.target.value)}
          error={isUnknown ? "No such zone: write it like Europe/Oslo" : null}
        />
        <Button type="submit" size="small">
          Use
        </Button>
      </MenuLine>
    </form>
  );
}
