import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

interface SectionProps {
  title: ComponentChildren;
  /** One line on what it shows. */
  about?: ComponentChildren;
  /** What can be done with it, at the right of its head. */
  acts?: ComponentChildren;
  /** In a box of its own, for what belongs together without being a table. */
  isCard?: boolean;
  children: ComponentChildren;
}

/** A part of a screen with a heading of its own. */
export function Section({ title, about, acts, isCard = false, children }: SectionProps) {
  const id = useId();
  return (
    <section class={isCard ? "section card" : "section"} aria-labelledby={id}>
      <header class="head">
        <div>
          <h2 id={id}>{title}</h2>
          {about !== undefined && <p class="faint">{about}</p>}
        </div>
        {acts !== undefined && <div class="acts">{acts}</div>}
      </header>
      {children}
    </section>
  );
}
