export interface SavedFile {
  readonly fileName: string;
  readonly mediaType: string;
  readonly text: string;
}

/** Hands a text to the browser as a download. */
export function saveFile({ fileName, text, mediaType }: SavedFile): void {
  const url = URL.createObjectURL(new Blob([text], { type: mediaType }));
  const anchor = document.createElement("a");
  anchor.href = url;
  anchor.download = fileName;
  anchor.click();
  // The download has its own hold on the data once it has begun.
  setTimeout(() => URL.revokeObjectURL(url));
}
