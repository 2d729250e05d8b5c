/** A text that is cut where its column ends; hovering shows all of it. */
export const Clip = ({ children: text }: { children: string }) => (
  <span class="name" title={text}>
    {text}
  </span>
);
