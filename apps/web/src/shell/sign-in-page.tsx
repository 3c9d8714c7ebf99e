import { Button, CommandLine, SignInFrame, Text, TextField } from "@trainwatch/ui";
import { useCallback, useState, type FormEvent } from "react";
import { useLocalSignIn, useSignIn } from "../data/sign-in.ts";

/** Shown wherever the server answered "who are you?". The token is sent once and not kept. */
export function SignInPage() {
  useLocalSignIn();
  const signIn = useSignIn();
  const [token, setToken] = useState("");
  // The page has one field, and whoever sees it came to fill it in.
  const focusOnce = useCallback((field: HTMLInputElement | null) => field?.focus(), []);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (token.trim() !== "") signIn.send(token.trim());
  };
  return (
    <SignInFrame title="Sign in with a token">
      <title>Sign in · Trainwatch</title>
      <Text as="p" tone="text" size="note">
        Paste a token that may read. The browser gets a cookie for it; the token itself is not kept.
      </Text>
      <form onSubmit={submit} aria-label="Sign in">
        <TextField
          label="Token"
          type="password"
          autoComplete="off"
          spellCheck={false}
          ref={focusOnce}
          placeholder="tw_…"
          value={token}
          onChange={(event) => setToken(event.target.value)}
          error={signIn.refusal}
          grow
        />
        <Button type="submit" kind="primary" disabled={signIn.isSending || token.trim() === ""}>
          Sign in
        </Button>
      </form>
      <Text as="p" tone="label" size="label">
        On the machine of the server, this makes one:
      </Text>
      <CommandLine command="npx trainwatch token create --name you --scope operate" />
    </SignInFrame>
  );
}
