import type { ComponentChildren, RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";

interface PopupProps {
  /** What opened it, beside which it stands; a press there is not one outside. */
  anchor: RefObject<HTMLElement | null>;
  /** Escape or a press outside. The focus is back at what opened it where it was inside. */
  onClose: () => void;
  /** The side of the anchor that it is in line with. */
  align?: "start" | "end";
  children: ComponentChildren;
}

/** The room that is left to the edges of the window, in pixels. */
const EDGE = 8;
/** The height below which the other side of the anchor is tried. */
const ENOUGH = 280;

function place(popup: HTMLElement, anchor: HTMLElement, align: "start" | "end"): void {
  const { top, bottom, left, right, width } = anchor.getBoundingClientRect();
  const below = innerHeight - bottom - 2 * EDGE;
  const above = top - 2 * EDGE;
  const isAbove = below < Math.min(ENOUGH, popup.scrollHeight) && above > below;
  const { style } = popup;
  style.minWidth = `${width}px`;
  style.maxHeight = `${isAbove ? above : below}px`;
  style.top = isAbove ? "auto" : `${bottom + 4}px`;
  style.bottom = isAbove ? `${innerHeight - top + 4}px` : "auto";
  const wished = align === "start" ? left : right - popup.offsetWidth;
  style.left = `${Math.max(EDGE, Math.min(wished, innerWidth - popup.offsetWidth - EDGE))}px`;
}

/** What opens beside a control, over everything else: no table or dialog cuts it off. */
export function Popup({ anchor, onClose, align = "start", children }: PopupProps) {
  const popup = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const [shown, beside] = [popup.current, anchor.current];
    if (!shown || !beside) return;
    const move = (): void => place(shown, beside, align);
    shown.showPopover();
    move();
    shown.querySelector<HTMLElement>("[data-focus]")?.focus({ preventScroll: true });
    addEventListener("scroll", move, true);
    addEventListener("resize", move);
    return () => {
      removeEventListener("scroll", move, true);
      removeEventListener("resize", move);
    };
  }, []);
  // What is typed into it changes its size.
  useLayoutEffect(() => {
    if (popup.current && anchor.current) place(popup.current, anchor.current, align);
  });
  useEffect(() => {
    const leave = ({ target }: Event): void => {
      const isInside = [popup, anchor].some(({ current }) => current?.contains(target as Node));
      if (!isInside) onClose();
    };
    document.addEventListener("pointerdown", leave);
    return () => document.removeEventListener("pointerdown", leave);
  }, [onClose]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape and Tab leave it from whatever in it has the focus
    <div
      ref={popup}
      class="popup"
      popover="manual"
      onKeyDown={(event) => {
        if (event.key !== "Escape" && event.key !== "Tab") return;
        // A dialog or drawer around it stays open.
        if (event.key === "Escape") {
          event.preventDefault();
          event.stopPropagation();
        }
        anchor.current?.focus();
        onClose();
      }}
    >
      {children}
    </div>
  );
}
