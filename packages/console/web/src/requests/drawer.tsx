import { useEffect, useRef } from "preact/hooks";
import { OneRequest } from "../request/one.tsx";
import type { Whose } from "./source.ts";

interface DrawerProps {
  id: string;
  whose: Whose;
  onClose: () => void;
}

/** One request beside the list. Its address is the list's own, so that a link opens both. */
export default function Drawer({ id, whose, onClose }: DrawerProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    const close = (event: KeyboardEvent): void => {
      if (event.key === "Escape" && !document.querySelector("dialog[open]")) onClose();
    };
    document.addEventListener("keydown", close);
    return () => document.removeEventListener("keydown", close);
  }, [onClose]);
  // Stepping through the rows keeps the focus in the list.
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  return (
    <aside class="drawer" aria-labelledby="drawer-title">
      <header class="head">
        <h2 id="drawer-title" ref={heading} tabIndex={-1}>
          Request
        </h2>
        <div class="acts">
          <a class="button" href={`/console/requests/${encodeURIComponent(id)}`}>
            Open as a page
          </a>
          <button type="button" onClick={onClose}>
            Close
          </button>
        </div>
      </header>
      <OneRequest key={id} id={id} whose={whose} />
    </aside>
  );
}
