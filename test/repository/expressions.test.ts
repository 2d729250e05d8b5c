import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { check } from "recheck";
import recheck from "recheck/package.json" with { type: "json" };
import { expect, test } from "vitest";
import { type Expression, expressionsOf } from "../support/expressions.ts";

const root = join(import.meta.dirname, "../..");
const sources = ["packages/*/src/**/*.ts", "packages/console/web/src/**/*.{ts,tsx}", "apps/*/src/**/*.ts"];

/** Expressions that may take longer, by the text that alone reaches them. */
const exceptions: Readonly<Record<string, string>> = {
  "/(:\\/\\/[^/@:]*:)[^@]*@/": "the configuration's own values, as the audit log shows them",
  "/:\\/\\/[^/@:]*:([^@]*)@/": "the configuration's own values, as the audit log shows them",
  "/\\$\\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\\}/g": "the configuration's own values",
};

/**
 * Expressions that this version of the analysis found safe: to judge one takes up to a second, and the verdict stays the
 * same. Those that are not listed are judged in each run; `UPDATE_DOCS=1` lists them.
 */
const JUDGED = join(import.meta.dirname, "safe-expressions.json");
const judged = JSON.parse(readFileSync(JUDGED, "utf8")) as { version: string; safe: string[] };
const safe = new Set(judged.version === recheck.version ? judged.safe : []);
/** The safe ones that the sources have now. */
const present = new Set<string>();

/** From how many repetitions on a limit is no help: what is repeated so often is as slow as without one. */
const MANY = 64;

/** The parts of a pattern that are kept whole, the words of it, and limits of repetitions. */
const TOKEN =
  /\\u[0-9a-fA-F]{4}|\\[pP]\{[^}]*\}|\\.|\(\?<\w+>|\[(?:\\.|[^\]\\])*\]|(?<word>[A-Za-z_]{3,})(?![*+?{])|(?<group>\)?)\{(?<least>\d+)(?<comma>,?)(?<most>\d*)\}/g;

/**
 * The pattern with short words, small limits of repetitions made smaller, and large ones left out: none of that
 * changes how its time grows, and words and limits are what takes the analysis long.
 */
function simplified(pattern: string): string {
  return pattern.replace(TOKEN, (whole: string, ...rest: unknown[]) => {
    const { word, group, least, comma, most } = rest.at(-1) as Record<string, string | undefined>;
    if (word !== undefined) return word.slice(0, 2);
    if (group === undefined) return whole;
    const few = Math.min(Number(least), 2);
    if (comma === "") return `${group}{${few}}`;
    const isOpen = most === "" || Number(most) >= MANY || (group !== "" && Number(most) > 3);
    return isOpen ? `${group}{${few},}` : `${group}{${few},${Math.min(Number(most), 3)}}`;
  });
}

/** Checks whether anything is repeated without a limit: otherwise each place is tried a limited number of times. */
const repeats = (pattern: string): boolean =>
  /[*+]|,\}/.test(pattern.replace(/\\.|\[(?:\\.|[^\]\\])*\]/g, "x"));

/** The finding about an expression that takes more than linear time. */
async function slowness({ at, pattern, flags }: Expression): Promise<string[]> {
  const plain = simplified(pattern);
  const shown = `/${pattern}/${flags}`;
  if (!repeats(plain) || Object.hasOwn(exceptions, shown)) return [];
  const key = `/${plain}/${flags}`;
  present.add(key);
  if (safe.has(key)) return [];
  // Without a limit of its own, so that the verdict is the same on every machine.
  const verdict = await check(plain, flags, { timeout: null, attackTimeout: null, incubationTimeout: null });
  switch (verdict.status) {
    case "safe":
      safe.add(key);
      return [];
    case "vulnerable":
      return [`${at}: ${shown} takes ${verdict.complexity.summary} time, as on ${verdict.attack.pattern}`];
    default:
      return [`${at}: ${shown} cannot be judged: ${verdict.error.kind}`];
  }
}

/** What is slow among expressions; the same one in several places is judged once. */
async function slowAmong(expressions: readonly Expression[]): Promise<string[]> {
  const places = Map.groupBy(expressions, ({ pattern, flags }) => `/${pattern}/${flags}`);
  const findings: string[] = [];
  for (const [one, ...others] of places.values()) {
    if (!one) continue;
    const found = await slowness({ ...one, at: [one, ...others].map(({ at }) => at).join(", ") });
    findings.push(...found);
  }
  return findings;
}

const ofFile = (file: string): Expression[] => expressionsOf(file, readFileSync(join(root, file), "utf8"));

test("Every regular expression of the sources takes linear time at most", { timeout: 120_000 }, async () => {
  const expressions = globSync(sources, { cwd: root }).flatMap(ofFile);
  expect(expressions.length).toBeGreaterThan(400);
  expect(await slowAmong(expressions)).toEqual([]);
  const list = { version: recheck.version, safe: [...present].sort() };
  if (process.env.UPDATE_DOCS === "1") writeFileSync(JUDGED, `${JSON.stringify(list, null, 2)}\n`);
  const written = new Set(expressions.map(({ pattern, flags }) => `/${pattern}/${flags}`));
  expect(Object.keys(exceptions).filter((shown) => !written.has(shown))).toEqual([]);
});

test("An expression that takes quadratic time is found with its file and line, however it is written", async () => {
  const found = await slowAmong(
    expressionsOf(
      "planted.ts",
      [
        "const bare = (type: string): string =>",
        '  type.replace(/;.*$/, "");',
        'const SPACES = "\\\\s+";',
        // biome-ignore lint/suspicious/noTemplateCurlyInString: the source of a template
        "const closed = new RegExp(`${SPACES}$`);",
        'const zeros = RegExp("0{1,5000}$", "g");',
        "const plain = /^[a-z]{1,63}(?:-[a-z]+)*$/;",
      ].join("\n"),
    ),
  );
  expect(found).toEqual([
    expect.stringMatching(/^planted\.ts:2: \/;\.\*\$\/ takes 2nd degree polynomial time/),
    expect.stringMatching(/^planted\.ts:4: \/\\s\+\$\/ takes 2nd degree polynomial time/),
    expect.stringMatching(/^planted\.ts:5: \/0\{1,5000\}\$\/g takes 2nd degree polynomial time/),
  ]);
});
