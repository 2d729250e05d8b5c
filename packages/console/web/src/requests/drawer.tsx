import { useEffect, useRef } from "preact/hooks";
import { OneRequest } from "../request/one.tsx";
import { OneRefusal } from "../request/refusal.tsx";
import type { Refusal } from "./refused.ts";
import type { Whose } from "./source.ts";

interface DrawerProps {
  id: string;
  /** The request was refused, and has no record. */
  refusal?: Refusal | undefined;
  whose: Whose;
  onClose: () => void;
}

/** One request beside the list. Its address is the list's own, so that a link opens both. */
export default function Drawer({ id, refusal, whose, onClose }: DrawerProps) {
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
          {refusal ? "Refused request" : "Request"}
        </h2>
        <div class="acts">
          {!refusal && (
            <a class="button" href={`/console/requests/${encodeURIComponent(id)}`}>
              Open as a page
            </a>
          )}
          <button type="button" onClick={onClose}>
            Close
          </button>
        </div>
      </header>
      {refusal ? <OneRefusal of={refusal} /> : <OneRequest key={id} id={id} whose={whose} />}
    </aside>
  );
}
