/** The members of a value with their paths, as a person reads them one by one; lists and empty objects are values. */
export function flatten(value: unknown, path = ""): [path: string, value: unknown][] {
  const members =
    typeof value === "object" && value !== null && !Array.isArray(value) && Object.entries(value);
  if (!members || members.length === 0) return value === undefined ? [] : [[path, value]];
  return members.flatMap(([name, item]) => flatten(item, path === "" ? name : `${path}.${name}`));
}
