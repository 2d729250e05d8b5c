import { focusHeading } from "./arrival.ts";

/** What can have the focus in place of another: no field, whose keyboard would come up and whose text keys would change. */
const ACTS = "a[href], button:not(:disabled), summary, [tabindex='0']";

/** What had the focus, what it stood in, and what could have it instead: those after it, then those before it. */
interface Held {
  element: Element;
  around: readonly Element[];
  others: readonly HTMLElement[];
}

function heldOf(element: Element): Held {
  const around: Element[] = [];
  for (let one = element.parentElement; one; one = one.parentElement) around.push(one);
  const root = element.closest("dialog, main") ?? document.body;
  const all = [...root.querySelectorAll<HTMLElement>(ACTS)].filter((one) => one !== element);
  const isAfter = (one: Element): boolean =>
    (element.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
  return {
    element,
    around,
    others: [...all.filter(isAfter), ...all.filter((one) => !isAfter(one)).reverse()],
  };
}

const isThere = (one: HTMLElement): boolean =>
  one.isConnected && one.matches(ACTS) && one.checkVisibility({ visibilityProperty: true });

/** Gives the focus to what is nearest inside what is left of a place. False if nothing there can have it. */
function focusNearest({ around, others }: Held): boolean {
  const place = around.find((one) => one.isConnected);
  if (!place?.closest("main, dialog") || place.matches("main")) return false;
  const next = others.find((one) => place.contains(one) && isThere(one));
  next?.focus();
  return next !== undefined;
}

/**
 * Hands the focus on when what had it is taken away, such as a row, a filter or a dialog: someone who works by the
 * keyboard or hears the page would be nowhere. It goes to what is beside it, to what opened the dialog, or to the
 * heading.
 */
export function keepFocus(): void {
  let last: Held | undefined;
  let ofPage: Held | undefined;
  document.addEventListener("focusin", ({ target }) => {
    last = heldOf(target as Element);
    if (!last.element.closest("dialog")) ofPage = last;
  });
  const isLost = (): boolean =>
    document.activeElement === document.body && last !== undefined && !last.element.isConnected;
  const handOn = (): void => {
    if (!isLost() || !last) return;
    const dialog = document.querySelector<HTMLDialogElement>("dialog[open]");
    if (dialog) {
      if (!focusNearest(last)) [...dialog.querySelectorAll<HTMLElement>(ACTS)].find(isThere)?.focus();
      return;
    }
    if (ofPage?.element.isConnected) (ofPage.element as HTMLElement).focus();
    else if (!ofPage || !focusNearest(ofPage)) focusHeading();
  };
  // In the next frame: what closes often gives the focus back by itself.
  new MutationObserver(() => {
    if (isLost()) requestAnimationFrame(handOn);
  }).observe(document.body, { childList: true, subtree: true });
}
