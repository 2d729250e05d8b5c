import type { PartSource } from "@manifold-gateway/core/operations";
import { fieldOf } from "@manifold-gateway/core/plan";
import type { Asset, Store } from "@manifold-gateway/store";
import { quote } from "../http/refusal.ts";
import type { AssetIssue, MediaPart, ResolvedAssets } from "../ports/jobs.ts";

const families: Readonly<Record<string, Asset["type"]>> = { image: "Image", video: "Video", audio: "Audio" };

/** Checks that the assets in a request are the caller's, usable, and of the part's kind. Call it before the hold. */
export async function resolveAssets<Part extends MediaPart>(
  store: Store,
  { accountId, parts, provider }: { accountId: string; parts: readonly Part[]; provider: string },
): Promise<ResolvedAssets<Part>> {
  const issues: AssetIssue[] = [];
  const resolved: Part[] = [];
  let inputSeconds: number | undefined = 0;
  for (const part of parts) {
    const { source, at, type = "image" } = part;
    if (source?.type !== "asset") {
      resolved.push(part);
      if (type === "video") inputSeconds = undefined;
      continue;
    }
    const asset = await store.assets.get({ id: source.id, accountId });
    const message = problemOf(asset, source, families[type]);
    if (message !== undefined) issues.push({ path: at, message: `${fieldOf(at)}.assetId: ${message}` });
    const registered = asset?.provider === provider ? asset?.registered : undefined;
    const named = registered === undefined ? source : { ...source, registered };
    resolved.push({ ...part, source: named });
    if (type !== "video" || inputSeconds === undefined) continue;
    inputSeconds = asset?.millis === undefined ? undefined : inputSeconds + asset.millis / 1000;
  }
  if (issues.length > 0) return { ok: false, issues };
  const hasVideos = parts.some(({ type }) => type === "video");
  return { ok: true, parts: resolved, ...(hasVideos && inputSeconds !== undefined && { inputSeconds }) };
}

function problemOf(
  asset: Asset | undefined,
  source: PartSource & { type: "asset" },
  type: Asset["type"] | undefined,
): string | undefined {
  const named = quote(source.id);
  const noun = source.kind === "identity" ? "identity asset" : "asset";
  if (!asset || asset.kind !== source.kind) return `${named} is not an ${noun} of this account`;
  if (asset.expiredAt !== undefined)
    return `the ${noun} ${named} has expired and was deleted; create a new one`;
  if (asset.state === "processing")
    return `the ${noun} ${named} is still being checked; use it when it is active`;
  if (asset.state === "failed")
    return `the ${noun} ${named} has failed (${asset.errorCode ?? "unknown"}); create a new one`;
  if (type !== undefined && asset.type !== type)
    return `the ${noun} ${named} is of the type ${asset.type}, the part needs ${type}`;
  return undefined;
}
