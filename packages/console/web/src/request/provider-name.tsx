/** A provider, which only operators see. */
export const ProviderName = ({ of: id }: { of: string }) => (
  <a class="wrap" href={`/console/providers/${encodeURIComponent(id)}`}>
    {id}
  </a>
);
