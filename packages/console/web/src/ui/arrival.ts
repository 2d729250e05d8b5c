import { useEffect } from "preact/hooks";

/** Names the page in the tab, the history and to screen readers. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Manifold`;
  }, [title]);
}

/** Waits for the heading of a screen that loads a part of itself first. */
let arriving: MutationObserver | undefined;

/**
 * Moves the focus to the heading of the screen that navigation led to: it would be lost with the link that was
 * followed, and screen readers would not announce the change. A dialog or field of the screen that already has the
 * focus keeps it.
 */
export function focusHeading(): void {
  arriving?.disconnect();
  const main = document.querySelector("main");
  const { activeElement } = document;
  if (document.querySelector("dialog[open]")) return;
  if (activeElement !== main && main?.contains(activeElement)) return;
  const heading = main?.querySelector("h1");
  // The router sets the position of new pages; the browser restores that of earlier ones.
  if (heading) heading.focus({ preventScroll: true });
  else if (main) {
    arriving = new MutationObserver(focusHeading);
    arriving.observe(main, { childList: true, subtree: true });
  }
}

/** Gives the focus to what is shown on demand, once: a `ref` of the same function is called when it is mounted only. */
export const focusOnce = (element: HTMLElement | null): void => element?.focus();

/** Gives the focus to the field or list in what is shown on demand. */
export const focusField = (element: HTMLElement | null): void =>
  element?.querySelector<HTMLElement>("[data-focus]")?.focus();
