import { useQuery } from "@tanstack/preact-query";
import { call } from "../api/client.ts";
import type { Attached } from "./media.ts";

interface AssetPickerProps {
  kind: Attached["kind"];
  onPick: (asset: Attached) => void;
}

/** Adds one of the account's identity assets that are checked; nothing where there is none of the kind. */
export function AssetPicker({ kind, onPick }: AssetPickerProps) {
  const list = useQuery({
    queryKey: ["assets"],
    queryFn: ({ signal }) => call("get", "/api/v1/kyc/user/assets", { query: { limit: 100 }, signal }),
  });
  const assets = (list.data?.results ?? []).filter(
    ({ assetType, status }) => assetType.toLowerCase() === kind && status === "active",
  );
  if (assets.length === 0)
    return (
      <p class="hint">
        Or name a checked {kind} of your <a href="/console/assets">assets</a>; there is none yet.
      </p>
    );
  return (
    <label>
      or add one of your assets{" "}
      <select
        value=""
        onChange={({ currentTarget }) => {
          const found = assets.find(({ assetId }) => assetId === currentTarget.value);
          if (found)
            onPick({
              kind,
              name: found.name ?? found.assetId,
              facts: "an identity asset",
              assetId: found.assetId,
            });
          currentTarget.value = "";
        }}
      >
        <option value="">choose …</option>
        {assets.map(({ assetId, name }) => (
          <option key={assetId} value={assetId}>
            {name ?? assetId}
          </option>
        ))}
      </select>
    </label>
  );
}
