const RESOURCE = /^(?:models|tunedModels)\//;
const VERSION = /^v\d+(?:(?:alpha|beta)\d*)?$/;
const COLLECTIONS = new Set(["models", "tunedModels"]);

/**
 * The names by which a program may know a model that clients write as a resource: without `models/`, and without the
 * provider in front.
 */
export function modelSpellings(name: string): [name: string, bare: string] {
  const id = name.replace(RESOURCE, "");
  return [id, id.slice(id.indexOf("/") + 1)];
}

/**
 * The model's name in the path of a generate-content request, up to its verb. It follows `models/` behind the API's
 * version; some SDKs leave that out before a name with a slash. A name may hold slashes, and segments of these names.
 */
export function modelInPath(path: string): string | undefined {
  const segments = path.split("/");
  const isCollection = (at: number): boolean => COLLECTIONS.has(segments[at] as string);
  const isVersion = (at: number): boolean => VERSION.test(segments[at] as string);
  const places = [...segments.keys()];
  const versioned = places.find((at) => at > 0 && isVersion(at - 1) && isCollection(at));
  // A platform has the publisher between.
  const published = places.find((at) => at > 1 && segments[at - 2] === "publishers" && isCollection(at));
  const start = versioned ?? published ?? places.findLast(isVersion) ?? places.find(isCollection);
  if (start === undefined) return undefined;
  const name = segments.slice(start + 1).join("/");
  return name === "" ? undefined : decoded(name);
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
