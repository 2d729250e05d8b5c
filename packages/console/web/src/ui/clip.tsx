interface ClipProps {
  /** For a sentence, not a name. */
  isLong?: boolean;
  children: string;
}

/** A text that is cut where its column ends; hovering shows all of it. */
export const Clip = ({ isLong = false, children: text }: ClipProps) => (
  <span class={isLong ? "name long" : "name"} title={text}>
    {text}
  </span>
);
