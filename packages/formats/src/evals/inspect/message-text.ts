import { bodyText } from "../record-sink.ts";
import { fieldOf, listOf, objectOf, textOf } from "../json/json-fields.ts";
import type { JsonObject, JsonValue } from "../json/json-value.ts";

const ATTACHMENT = /^attachment:\/\/([0-9a-f]+)$/;

/** Long texts stand beside the sample, by hash. */
function resolved(text: string, attachments: JsonObject | null): string {
  const hash = ATTACHMENT.exec(text)?.[1];
  return hash === undefined ? text : (textOf(fieldOf(attachments, hash)) ?? text);
}

/** Text of a message's content: a text, or parts of which only texts are kept. */
export function contentText(content: JsonValue | undefined, attachments: JsonObject | null): string | null {
  const text = textOf(content);
  if (text !== null) return bodyText(resolved(text, attachments));
  const parts = listOf(content);
  if (parts === null) return null;
  return bodyText(
    parts
      .map((part) => {
        const object = objectOf(part);
        const type = textOf(fieldOf(object, "type"));
        return type === "text" || type === null ? resolved(textOf(fieldOf(object, "text")) ?? "", attachments) : `[${type}]`;
      })
      .join("\n"),
  );
}

/** What was asked: a text, or a conversation with its roles where it has more than one message. */
export function inputText(input: JsonValue | undefined, attachments: JsonObject | null): string | null {
  const messages = listOf(input);
  if (messages === null) return contentText(input, attachments);
  const texts = messages.map((message) => {
    const object = objectOf(message);
    const text = contentText(fieldOf(object, "content"), attachments) ?? "";
    return messages.length === 1 ? text : `${textOf(fieldOf(object, "role")) ?? "message"}: ${text}`;
  });
  return bodyText(texts.join("\n\n"));
}
