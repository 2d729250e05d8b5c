import type { ImageResult, ImageUsage } from "@manifold-gateway/core/operations";

/** Joins the results of several exchanges. Format members are the last one's; counts are added up. */
export function join(results: readonly ImageResult[]): ImageResult {
  const images = results.flatMap((result) => result.images);
  const usage: ImageUsage = { generatedImages: 0 };
  for (const result of results)
    for (const [name, count] of Object.entries(result.usage) as [keyof ImageUsage, number][])
      usage[name] = (usage[name] ?? 0) + count;
  return { ...Object.assign({}, ...results), images, usage };
}
