import { getRouteApi } from "@tanstack/react-router";
import type { Passport } from "@trainwatch/core";
import { Chip, DeskOnly, formatInteger, KeyHint, TitleRow } from "@trainwatch/ui";
import { useKeys } from "../../keys/keys.tsx";
import type { KeyBinding } from "../../keys/registry.ts";
import { ButtonLink, Link } from "../../routing/link.tsx";
import { releaseOf } from "./release-of.ts";
import { SharePassport } from "./share-passport.tsx";

const route = getRouteApi("/checkpoints/$checkpointId");

export function PassportTitle({ passport }: { readonly passport: Passport }) {
  const { run, checkpoint, previous, next } = passport;
  const navigate = route.useNavigate();
  const to = (checkpointId: number): void =>
    void navigate({ to: "/checkpoints/$checkpointId", params: { checkpointId }, search: (search) => search });
  const binding = (keys: string, label: string, neighbour: Passport["next"]): readonly KeyBinding[] =>
    neighbour === null ? [] : [{ keys, label, group: "Lists", run: () => to(neighbour.checkpointId) }];
  useKeys([...binding("p", "Previous checkpoint of the run", previous), ...binding("n", "Next checkpoint of the run", next)]);
  return (
    <TitleRow
      title={`${run.name}, step ${formatInteger(checkpoint.step)}`}
      chips={
        <Chip title="Project">
          <Link to="/runs/$runId" params={{ runId: run.runId }} look="plain">
            {run.project}/{run.name}
          </Link>
        </Chip>
      }
      note="checkpoint passport"
      actions={
        <>
          <Neighbour word="Previous" keys="p" neighbour={previous} />
          <Neighbour word="Next" keys="n" neighbour={next} />
          <SharePassport passport={passport} />
          <OpenRelease passport={passport} />
        </>
      }
    />
  );
}

function Neighbour({ word, keys, neighbour }: { readonly word: string; readonly keys: string; readonly neighbour: Passport["next"] }) {
  if (neighbour === null) return null;
  return (
    <ButtonLink
      to="/checkpoints/$checkpointId"
      params={{ checkpointId: neighbour.checkpointId }}
      search={(search: object) => search}
      kind="quiet"
      size="small"
    >
      {`${word} ${formatInteger(neighbour.step)}`}
      <DeskOnly>
        <KeyHint keys={keys} />
      </DeskOnly>
    </ButtonLink>
  );
}

/** The comparison that it stands in; without one, where comparisons are made. */
function OpenRelease({ passport }: { readonly passport: Passport }) {
  const releaseId = releaseOf(passport);
  if (releaseId === null)
    return (
      <ButtonLink to="/releases" size="small">
        Release comparisons
      </ButtonLink>
    );
  return (
    <ButtonLink to="/releases/$releaseId" params={{ releaseId }} size="small">
      Open release comparison
    </ButtonLink>
  );
}
