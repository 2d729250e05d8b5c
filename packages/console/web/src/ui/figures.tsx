import type { ComponentChildren } from "preact";

export interface Figure {
  name: string;
  /** The number, in its shortest exact form. */
  value: ComponentChildren;
  /** How it compares with the range before, or what it is made of. */
  note?: ComponentChildren;
  /** The rows behind it. */
  href?: string;
}

/** The few numbers that a screen begins with, in boxes of one grid. Every one leads to what is behind it. */
export const Figures = ({ of }: { of: readonly Figure[] }) => (
  <ul class="figures">
    {of.map(({ name, value, note, href }) => {
      const inside = (
        <>
          <span>{name}</span>
          <b>{value}</b>
          <small>{note ?? "\u00a0"}</small>
        </>
      );
      return <li key={name}>{href === undefined ? <div>{inside}</div> : <a href={href}>{inside}</a>}</li>;
    })}
  </ul>
);
