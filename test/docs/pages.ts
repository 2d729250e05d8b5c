import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

export const ROOT = resolve(import.meta.dirname, "../..");

/** Every page in Markdown that the project publishes, as a path from the root. */
export const pages: readonly string[] = globSync(
  [
    "*.md",
    "docs/**/*.md",
    "packages/*/README.md",
    "apps/*/README.md",
    "examples/**/README.md",
    "deploy/**/*.md",
  ],
  { cwd: ROOT, exclude: (path) => path.includes("node_modules") },
).sort();

export const textOf = (page: string): string => readFileSync(join(ROOT, page), "utf8");

export interface Snippet {
  page: string;
  /** Of the page, where the fence stands. */
  line: number;
  language: string;
  text: string;
}

const FENCE = /^```(\w*)\n([\s\S]*?)^```$/gm;

/** What stands between fences on a page. */
export function snippetsOf(page: string, text: string): Snippet[] {
  return [...text.matchAll(FENCE)].map(({ index, 1: language = "", 2: inside = "" }) => ({
    page,
    line: text.slice(0, index).split("\n").length,
    language,
    text: inside,
  }));
}

export const snippets: readonly Snippet[] = pages.flatMap((page) => snippetsOf(page, textOf(page)));

export const placeOf = ({ page, line }: Snippet): string => `${page}:${line}`;
