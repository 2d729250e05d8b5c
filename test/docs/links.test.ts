import { existsSync, globSync, statSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { describe, expect, it } from "vitest";
import { pages, ROOT, snippets, textOf } from "./pages.ts";

const FENCED = /^```[\s\S]*?^```$/gm;
const INLINE_CODE = /`[^`\n]*`/g;
const LINK = /\]\(([^)\s]+)\)/g;
const HEADING = /^#+ (.*)$/gm;

/** The anchor of a heading: lower case, without punctuation, hyphens for spaces. */
const anchorOf = (heading: string): string =>
  heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");

const anchorsOf = (page: string): string[] =>
  [...textOf(page).replace(FENCED, "").matchAll(HEADING)].map(([, heading = ""]) => anchorOf(heading));

/** What a link of a page leads to inside the repository, or nothing where it leads elsewhere. */
function problemOf(page: string, link: string): string | undefined {
  if (/^[a-z]+:/.test(link)) return undefined;
  const [path = "", anchor] = link.split("#");
  const target = path === "" ? page : normalize(join(dirname(page), path));
  if (!existsSync(join(ROOT, target))) return `${link}: there is no ${target}`;
  if (anchor === undefined || statSync(join(ROOT, target)).isDirectory() || !target.endsWith(".md"))
    return undefined;
  return anchorsOf(target).includes(anchor) ? undefined : `${link}: ${target} has no heading of that name`;
}

/** The folder in which a page looks for the sources that it names: its package, or all of the repository. */
const sourcesOf = (page: string): string => (/^(packages|apps)\//.test(page) ? `${dirname(page)}/` : "");

/** A code span that names a file of TypeScript, such as `pair-calls.ts` or `routing/operation.ts`. */
const SOURCE = /`([\w./-]+\.tsx?)`/g;

const sources = globSync("{packages,apps,examples,test,tools,site,deploy}/**/*.{ts,tsx}", {
  cwd: ROOT,
  exclude: (path) => /node_modules|dist/.test(path),
});

describe("the pages", () => {
  it.each(pages.filter((page) => page !== "CHANGELOG.md"))("%s names only sources that are there", (page) => {
    const prose = textOf(page).replace(FENCED, "");
    const within = sources.filter((path) => path.startsWith(sourcesOf(page)));
    const names = [...prose.matchAll(SOURCE)].map(([, name = ""]) => name);
    expect(names.filter((name) => !within.some((path) => `/${path}`.endsWith(`/${name}`)))).toEqual([]);
  });

  it("are all linked from the README, or from the README of their folder", () => {
    const readmes = pages.filter((page) => page.endsWith("README.md"));
    const linked = new Set(
      readmes.flatMap((page) =>
        [...textOf(page).matchAll(LINK)].map(([, link = ""]) => normalize(join(dirname(page), link))),
      ),
    );
    expect(pages.filter((page) => page !== "README.md" && !linked.has(page))).toEqual([]);
  });

  it.each(pages)("%s links only to what is there", (page) => {
    const prose = textOf(page).replace(FENCED, "").replace(INLINE_CODE, "");
    const problems = [...prose.matchAll(LINK)].map(([, link = ""]) => problemOf(page, link));
    expect(problems.filter(Boolean)).toEqual([]);
  });

  it("have no snippet without a language, and none in a language that no test runs", () => {
    const known = ["json", "nginx", "sh", "text", "ts", "yaml"];
    const others = snippets.filter(({ language }) => !known.includes(language));
    expect(others.map(({ page, line, language }) => `${page}:${line} ${language}`)).toEqual([]);
  });
});
