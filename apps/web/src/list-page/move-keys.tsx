import { DeskOnly, KeyHint, Text } from "@trainwatch/ui";

/** The keys of a list, in its title row. */
export function MoveKeys() {
  return (
    <DeskOnly>
      <Text size="label" tone="label">
        <KeyHint keys="j k" /> move <KeyHint keys="Enter" /> open
      </Text>
    </DeskOnly>
  );
}
