import { notFound } from "@tanstack/react-router";
import { readInteger } from "../url/read.ts";

/** An id in the path: what is no positive integer is no page. */
export function idOf(text: string): number {
  const id = readInteger(text, 1);
  if (id === undefined) throw notFound();
  return id;
}
