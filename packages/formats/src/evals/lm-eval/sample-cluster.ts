import { textHash } from "@trainwatch/core";
import { canonicalJson, fieldOf } from "../json/json-fields.ts";
import type { JsonObject, JsonValue } from "../json/json-value.ts";
import { keyText } from "../record-sink.ts";

/** Ids of what several questions are asked about. */
const IDS = [
  "dialogue_id",
  "dialog_id",
  "conversation_id",
  "passage_id",
  "story_id",
  "context_id",
  "article_id",
  "document_id",
  "paragraph_id",
] as const;
/** The thing itself, for documents that carry no id of it. */
const TEXTS = ["passage", "story", "article", "paragraph", "document", "context", "dialogue", "conversation"] as const;
/** A shorter text is a word or a name and not a passage that questions share. */
const SHORTEST_PASSAGE = 40;

/**
 * What samples share that are not independent: "dialogue_id:0-0", or the hash of the passage itself. The first of these fields that the
 * document has decides, ids before texts; null where it has none.
 */
export function clusterOf(doc: JsonObject | null): string | null {
  for (const field of IDS) {
    const id = fieldOf(doc, field);
    if ((typeof id === "string" && id !== "") || typeof id === "number") return keyText(`${field}:${id}`);
  }
  for (const field of TEXTS) {
    const text = passageText(fieldOf(doc, field));
    if (text !== null && text.length >= SHORTEST_PASSAGE) return `${field}:${textHash(text)}`;
  }
  return null;
}

function passageText(value: JsonValue | undefined): string | null {
  if (typeof value === "string") return value.trim();
  return typeof value === "object" && value !== null ? canonicalJson(value) : null;
}

/** Fields by which a dataset divides its questions. */
const CATEGORIES = ["subject", "category", "subcategory", "topic", "domain", "level", "type"] as const;

export function categoryOf(doc: JsonObject | null): string | null {
  for (const field of CATEGORIES) {
    const value = fieldOf(doc, field);
    if (typeof value === "string" && value.trim() !== "" && value.length <= 256) return keyText(value.trim());
  }
  return null;
}
