type Path = readonly string[];

/** The members of a value at all depths, with their paths. Lists and empty objects are not split up. */
export function membersOf(value: unknown, path: Path = []): [path: Path, value: unknown][] {
  const members =
    typeof value === "object" && value !== null && !Array.isArray(value) && Object.entries(value);
  if (!members || members.length === 0) return value === undefined ? [] : [[path, value]];
  return members.flatMap(([name, item]) => membersOf(item, [...path, name]));
}

/** The same with each path as one text. */
export const flatten = (value: unknown): [path: string, value: unknown][] =>
  membersOf(value).map(([path, item]) => [path.join("."), item]);
