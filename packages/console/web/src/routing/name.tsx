/** An entry by its provider and the model's name there. */
export const EntryName = ({ provider = "", name = "" }: { provider?: string; name?: string }) => (
  <span>
    {provider} <span class="faint">{name}</span>
  </span>
);
