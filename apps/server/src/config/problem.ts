/** A problem in a configuration. */
export interface Problem {
  path: readonly PropertyKey[];
  /** One line, which begins with the path. */
  line: string;
}

export const problemAt = (path: readonly PropertyKey[], text: string): Problem => ({
  path,
  line: `${path.map(String).join(".") || "(root)"}: ${text}`,
});
