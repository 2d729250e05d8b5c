import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { assemble } from "./assemble.ts";
import { reference } from "./reference.ts";

const HERE = import.meta.dirname;
const PAGES = join(HERE, ".pages");

rmSync(PAGES, { recursive: true, force: true });
const groups = [...assemble(), reference()];
for (const { route, text } of groups.flatMap(({ pages }) => pages)) {
  const file = join(PAGES, `${route}.md`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
cpSync(join(HERE, "../docs/images"), join(PAGES, "public/images"), { recursive: true });
const sidebar = groups.map(({ text, pages }) => ({
  text,
  collapsed: text === "The project" || text === "API reference",
  items: pages.map(({ title, route }) => ({ text: title, link: `/${route === "index" ? "" : route}` })),
}));
writeFileSync(join(HERE, ".vitepress/sidebar.json"), JSON.stringify(sidebar));
execFileSync(process.execPath, [join(HERE, "node_modules/vitepress/bin/vitepress.js"), "build", HERE], {
  stdio: "inherit",
});
