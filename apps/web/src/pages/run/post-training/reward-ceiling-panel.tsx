import { metricWords, type PostTrainingView } from "@trainwatch/core";
import { Fact, Facts, formatShare, Inset, Section, Text, UnknownWord } from "@trainwatch/ui";

/** What the entropy that is left can still buy, where the reward has followed it so far; nothing where it has not. */
export function RewardCeilingPanel({ view }: { readonly view: PostTrainingView }) {
  const { rewardCeiling: told } = view;
  if (told === null) return null;
  const words = metricWords("reward", []);
  return (
    <Section title="Left to gain" note="fitted over entropy">
      <Inset>
        <Text as="p" tone="text">
          {told.text}
        </Text>
      </Inset>
      <Facts>
        <Fact name="Reward with no entropy left">{words.within(told.ceiling, told.ceilingError)}</Fact>
        <Fact name="Left to gain">{words.within(told.left, told.leftError)}</Fact>
        <Fact name="Used up">
          {told.used === null || told.used < 0 ? <UnknownWord>not to be said</UnknownWord> : `${formatShare(told.used, 0).text} %`}
        </Fact>
      </Facts>
    </Section>
  );
}
