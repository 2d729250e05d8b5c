import { useQuery } from "@tanstack/preact-query";
import { call } from "../api/client.ts";
import { Select } from "../ui/select.tsx";
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
    <Select
      label="or add one of your assets"
      isInline
      placeholder="choose …"
      value=""
      options={assets.map(({ assetId, name }) => ({ value: assetId, text: name ?? assetId }))}
      onChange={(assetId) => {
        const name = assets.find((asset) => asset.assetId === assetId)?.name ?? assetId;
        onPick({ kind, name, facts: "an identity asset", assetId });
      }}
    />
  );
}
