/** A check box takes Space and no letter: who has marked a row goes on by keys. */
const TYPED_INTO = "input:not([type=checkbox]), textarea, select, [role=listbox], [role=menu]";

/** No key fires while the reader types or while a dialog is open; `mod+…` fires everywhere. */
export function isTaken(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.isComposing) return true;
  if (event.ctrlKey || event.metaKey) return false;
  const { target } = event;
  if (target instanceof HTMLElement && (target.isContentEditable || target.closest(TYPED_INTO) !== null)) return true;
  return document.querySelector("[role=dialog], [role=alertdialog]") !== null;
}

/** Enter and Space on a focused button or link do what the browser does with them. */
export function isNativePress(event: KeyboardEvent): boolean {
  return (
    (event.key === "Enter" || event.key === " ") &&
    event.target instanceof HTMLElement &&
    event.target.closest("button, a[href], summary, [role=button]") !== null
  );
}
