/** A name in snake case: some wires take their names in two casings. */
export const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Names in both casings, for wires that take either. */
export const bothCasings = (names: readonly string[]): string[] => [
  ...new Set(names.flatMap((name) => [name, snake(name)])),
];
