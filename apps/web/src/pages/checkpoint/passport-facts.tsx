import type { Passport } from "@trainwatch/core";
import { Fact, Facts, formatCompact, formatCount, Rule, SeverityWord, Text, UnknownWord } from "@trainwatch/ui";
import { When } from "../../clock/when.tsx";
import { Link } from "../../routing/link.tsx";
import { CHECKPOINT_WORDS } from "../../words/checkpoint-words.ts";

/** What can be looked up of the file itself. */
export function PassportFacts({ passport }: { readonly passport: Passport }) {
  const { checkpoint, run, gpus, tokens } = passport;
  const state = CHECKPOINT_WORDS[checkpoint.state];
  const seen = formatCompact(tokens, "tokens");
  return (
    <>
      <Facts>
        <Fact name="Saved">
          {checkpoint.savedAtMs === null ? <UnknownWord>not told</UnknownWord> : <When ms={checkpoint.savedAtMs} show="both" />}
        </Fact>
        <Fact name="Run">
          <Link to="/runs/$runId" params={{ runId: run.runId }}>
            {run.project}/{run.name}
          </Link>
        </Fact>
        <Fact name="Attempt">{checkpoint.attempt}</Fact>
        <Fact name="State">
          <SeverityWord mark={state.mark}>{state.word}</SeverityWord>
          {checkpoint.reason === null ? null : (
            <Text as="p" tone="text">
              {checkpoint.reason}
            </Text>
          )}
        </Fact>
        <Fact name="Kind">{checkpoint.kind}</Fact>
        <Fact name="Path">{checkpoint.path === null ? <UnknownWord>not told</UnknownWord> : <Text mono>{checkpoint.path}</Text>}</Fact>
        <Fact name="Tokens">{tokens === null ? <UnknownWord>not told</UnknownWord> : `${seen.text} ${seen.unit}`}</Fact>
        <Fact name="Trained on">
          {gpus.known === 0 ? (
            <UnknownWord>not known</UnknownWord>
          ) : (
            `${formatCount(gpus.known, "GPU")}, ${formatCount(gpus.nodes, "node")}`
          )}
        </Fact>
      </Facts>
      <Rule />
    </>
  );
}
