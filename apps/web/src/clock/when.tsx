import { Moment, type MomentProps } from "@trainwatch/ui";
import { useZone } from "../zone/zone.tsx";
import { useNow } from "./now.tsx";

/** A time in the page's zone; the other form (relative or absolute) is its title. */
export function When({ ms, show }: Pick<MomentProps, "ms" | "show">) {
  const nowMs = useNow();
  const { zone } = useZone();
  return <Moment ms={ms} zone={zone} nowMs={nowMs} show={show} />;
}
