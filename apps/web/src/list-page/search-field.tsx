import { TextField } from "@trainwatch/ui";
import { useEffect, useEffectEvent, useState } from "react";

export interface SearchFieldProps {
  /** Spoken; the placeholder says it to the eye. */
  readonly label: string;
  readonly placeholder: string;
  /** What the URL asks for now; empty for nothing. */
  readonly query: string;
  /** Replaces the query in the URL. It may be another function at each drawing. */
  readonly onQuery: (text: string) => void;
}

/** A pause in typing after which the list is asked for. */
const TYPING_PAUSE_MS = 250;

/** A search whose text is in the URL, which follows the typing after a pause; a link that is opened fills the field. */
export function SearchField({ label, placeholder, query, onQuery }: SearchFieldProps) {
  const [text, setText] = useState(query);
  const [asked, setAsked] = useState(query);
  if (query !== asked) {
    setAsked(query);
    setText(query);
  }
  const ask = useEffectEvent(() => {
    setAsked(text);
    onQuery(text);
  });
  useEffect(() => {
    if (text === asked) return;
    const timer = setTimeout(ask, TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, asked]);
  return (
    <TextField
      label={label}
      labelHidden
      type="search"
      placeholder={placeholder}
      value={text}
      onChange={(event) => setText(event.target.value)}
    />
  );
}
