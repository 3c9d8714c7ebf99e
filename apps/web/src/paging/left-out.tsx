import { formatCount, formatInteger, Inset, Text } from "@trainwatch/ui";

export interface LeftOutProps {
  readonly shown: number;
  readonly total: number;
  readonly noun: string;
}

/** Under a list that holds only the newest: how many there are. Nothing where it holds all. */
export function LeftOut({ shown, total, noun }: LeftOutProps) {
  if (shown >= total) return null;
  return (
    <Inset>
      <Text tone="label" size="label">
        The newest {formatInteger(shown)} of {formatCount(total, noun)}
      </Text>
    </Inset>
  );
}
