import { posix } from "node:path";
import type { Manifest } from "./workspaces.ts";

/** The condition by which a clone runs its sources; a tarball has none. */
const SOURCES = "manifold";

function withoutSources(target: string | Record<string, string>): typeof target {
  if (typeof target === "string") return target;
  const { [SOURCES]: _, ...built } = target;
  return built;
}

/** The manifest of a tarball: no sources, nothing that is for those who develop it. */
export function publishedManifest(manifest: Manifest): object {
  const { scripts, devDependencies, publishConfig, ...rest } = manifest;
  const { directory, ...kept } = publishConfig;
  const doors = Object.entries(manifest.exports).map(([door, target]) => [door, withoutSources(target)]);
  return { ...rest, exports: Object.fromEntries(doors), publishConfig: kept };
}

/** A README whose links also lead somewhere where the repository is not around it. */
export function publishedReadme(text: string, place: string, homepage: string): string {
  const [repository] = homepage.split("/tree/");
  return text.replaceAll(
    /\]\((?!#|[a-z]+:)([^)#]*)/g,
    (_, path: string) => `](${repository}/blob/main/${posix.join(place, path)}`,
  );
}
