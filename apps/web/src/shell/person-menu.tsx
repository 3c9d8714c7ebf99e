import { BarMenu, Button, MenuLine, PersonMark, Segmented, Text } from "@trainwatch/ui";
import { usePerson, useSignOut } from "../data/sign-in.ts";
import { ButtonLink } from "../routing/link.tsx";
import { useTheme } from "../theme/theme.ts";

const MAX_INITIALS = 2;

function initialsOf(name: string): string {
  const parts = name.split(/[\s._-]+/).filter((part) => part !== "");
  return parts
    .slice(0, MAX_INITIALS)
    .map((part) => part.charAt(0).toUpperCase())
    .join("");
}

export function PersonMenu() {
  const person = usePerson();
  const signOut = useSignOut();
  const [theme, chooseTheme] = useTheme();
  if (person === null) return null;
  const initials = initialsOf(person.name);
  return (
    <BarMenu
      label={`${initials}: signed in as ${person.name}; theme, settings, sign out`}
      face={<PersonMark name={person.name} initials={initials} />}
    >
      <MenuLine label={person.name}>
        <Text size="label" tone="label">{`token, may ${person.scopes.join(", ")}`}</Text>
      </MenuLine>
      <MenuLine label="Theme">
        <Segmented
          label="Theme"
          value={theme}
          onChange={chooseTheme}
          options={[
            { value: "system", label: "System" },
            { value: "dark", label: "Dark" },
            { value: "light", label: "Light" },
          ]}
        />
      </MenuLine>
      <MenuLine label="">
        <ButtonLink to="/settings" size="small" kind="quiet">
          Settings
        </ButtonLink>
        <Button size="small" onClick={signOut}>
          Sign out
        </Button>
      </MenuLine>
    </BarMenu>
  );
}
