const UNRELEASED = "## Unreleased";

/** The changelog with what was unreleased under a version and its day, and room for what comes next. */
export function released(text: string, version: string, at: Date): string {
  const [before, after] = text.split(`${UNRELEASED}\n`);
  if (before === undefined || after === undefined) throw new Error(`CHANGELOG.md has no '${UNRELEASED}'`);
  if (text.includes(`\n## ${version} `)) throw new Error(`CHANGELOG.md has ${version} already`);
  return `${before}${UNRELEASED}\n\n## ${version} - ${at.toISOString().slice(0, 10)}\n${after}`;
}
