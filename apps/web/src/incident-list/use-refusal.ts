import { useEffect } from "react";

/** Hands a refusal of a row's verb up to the page, which has the room to say it. */
export function useRefusal(message: string | null, tell: (message: string | null) => void): void {
  useEffect(() => tell(message), [message, tell]);
}
