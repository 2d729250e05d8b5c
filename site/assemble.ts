import { globSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";

const ROOT = join(import.meta.dirname, "..");
const SOURCE = (
  JSON.parse(readFileSync(join(ROOT, "packages/core/package.json"), "utf8")).repository.url as string
)
  .replace(/^git\+/, "")
  .replace(/\.git$/, "");

export interface Page {
  /** In the repository; a page that is made has none. */
  file?: string;
  /** On the site, without its ending: `agents/codex`. */
  route: string;
  title: string;
  text: string;
}

export interface Group {
  text: string;
  pages: readonly Page[];
}

/** The place of a page of the repository on the site, without its ending. */
export function routeOf(file: string): string {
  if (file === "README.md") return "index";
  const workspace = /^(?:packages|apps)\/([\w-]+)\/README\.md$/.exec(file);
  if (workspace) return `packages/${workspace[1]}`;
  return file
    .replace(/^docs\//, "")
    .replace(/README\.md$/, "index.md")
    .replace(/\.md$/, "")
    .toLowerCase();
}

const LINK = /(\]\()([^)\s]+)(\))/g;

/** A page with links to other pages as the site has them, and links to the rest of the repository as its host has them. */
function rewritten(text: string, file: string, pages: ReadonlySet<string>): string {
  const target = (link: string): string => {
    if (/^[a-z]+:|^#/.test(link)) return link;
    const [path = "", anchor] = link.split("#");
    const found = posix.normalize(posix.join(posix.dirname(file), path));
    const page = [found, posix.join(found, "README.md")].find((one) => pages.has(one));
    const behind = anchor === undefined ? "" : `#${anchor}`;
    if (page !== undefined) return `/${routeOf(page)}${behind}`.replace(/\/index(?=#|$)/, "/");
    if (/\.(webp|png|svg)$/.test(found)) return `/images/${posix.basename(found)}`;
    return `${SOURCE}/blob/main/${found}${behind}`;
  };
  const parts = text.split(/(^```[\s\S]*?^```$|`[^`\n]*`)/gm);
  return parts
    .map((part, index) =>
      index % 2 === 1
        ? part
        : part
            .replace(LINK, (_, before, link, after) => `${before}${target(link)}${after}`)
            .replace(/(?<=src=")images\//g, "/images/"),
    )
    .join("");
}

const titleOf = (text: string, file: string): string => /^# (.+)$/m.exec(text)?.[1] ?? file;

/** Every page of the repository in the groups of the side bar, with its links rewritten. */
export function assemble(): Group[] {
  const groups = JSON.parse(readFileSync(join(import.meta.dirname, "groups.json"), "utf8")) as {
    text: string;
    pages: string[];
  }[];
  const listed = groups.map(({ text, pages }) => ({
    text,
    files: pages.flatMap((pattern) => globSync(pattern, { cwd: ROOT }).sort(byNumber)),
  }));
  const all = new Set(listed.flatMap(({ files }) => files));
  const filled = listed.filter(({ files }) => files.length > 0);
  return filled.map(({ text, files }) => ({
    text,
    pages: files.map((file) => {
      const page = readFileSync(join(ROOT, file), "utf8");
      return { file, route: routeOf(file), title: titleOf(page, file), text: rewritten(page, file, all) };
    }),
  }));
}

const byNumber = (a: string, b: string): number => a.localeCompare(b, "en", { numeric: true });
