import { AppError, FRAME_LIMITS } from "@trainwatch/core";

/**
 * The body of a request, whole, in memory of its own: a frame's readings then lie at multiples of 8.
 * @param body a stream as it comes from the network, or bytes where the caller is in this process
 * @throws AppError `too-large` as soon as there is more than a frame may have; `bad-request` for anything else than bytes
 */
export async function frameBytes(body: unknown): Promise<Uint8Array> {
  if (body instanceof Uint8Array)
    return body.byteLength > FRAME_LIMITS.bytes ? Promise.reject(tooLarge()) : aligned([body], body.byteLength);
  if (!(body instanceof ReadableStream))
    throw new AppError("bad-request", "A frame is sent as bytes: send the header `Content-Type: application/octet-stream`.");
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader: ReadableStreamDefaultReader<unknown> = body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return aligned(chunks, size);
    if (!(value instanceof Uint8Array)) throw new AppError("bad-request", "The body of a frame must be bytes.");
    size += value.byteLength;
    if (size > FRAME_LIMITS.bytes) {
      await reader.cancel();
      throw tooLarge();
    }
    chunks.push(value);
  }
}

function aligned(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.byteLength;
  }
  return bytes;
}

function tooLarge(): AppError {
  return new AppError("too-large", `A frame may have ${FRAME_LIMITS.bytes} bytes at most. Send fewer rows at a time.`, {
    details: { limitBytes: FRAME_LIMITS.bytes },
  });
}
