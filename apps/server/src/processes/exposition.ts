/**
 * Merges the metrics of several processes into one text. A name may have only one block, so samples of the same name
 * are grouped; their labels name the process.
 */
export function mergeExpositions(texts: readonly string[]): string {
  const families = new Map<string, { head: string[]; samples: string[] }>();
  for (const text of texts) {
    let family: { head: string[]; samples: string[] } | undefined;
    let isNew = false;
    for (const line of text.split("\n")) {
      const [, name] = /^# HELP (\S+)/.exec(line) ?? [];
      if (name !== undefined) {
        family = families.get(name);
        isNew = family === undefined;
        family ??= { head: [], samples: [] };
        families.set(name, family);
      }
      if (line === "" || !family) continue;
      if (!line.startsWith("#")) family.samples.push(line);
      else if (isNew) family.head.push(line);
    }
  }
  return `${[...families.values()].map(({ head, samples }) => [...head, ...samples].join("\n")).join("\n\n")}\n`;
}
