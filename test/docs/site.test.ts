import { surfaces } from "@manifold-gateway/gateway";
import { describe, expect, it } from "vitest";
import { assemble } from "../../site/assemble.ts";
import { reference } from "../../site/reference.ts";
import { pages } from "./pages.ts";

/** Read in the repository only. */
const INSIDE = /^(\.|examples\/.+\/|deploy\/)/;

describe("the site", () => {
  const groups = [...assemble(), reference()];
  const shown = groups.flatMap((group) => group.pages);

  it("has every page of the repository in its side bar, once", () => {
    const files = shown.flatMap(({ file }) => file ?? []).sort();
    expect(files).toEqual(pages.filter((page) => !INSIDE.test(page)));
  });

  it("leads from page to page by addresses that it has", () => {
    const routes = new Set(shown.map(({ route }) => `/${route}`.replace(/\/index$/, "/")));
    const links = shown.flatMap(({ text }) =>
      [...text.replace(/^```[\s\S]*?^```$|`[^`\n]*`/gm, "").matchAll(/\]\((\/[^)#\s]*)/g)].map(
        ([, link = ""]) => link,
      ),
    );
    expect(links.length).toBeGreaterThan(50);
    expect(links.filter((link) => !routes.has(link) && !link.startsWith("/images/"))).toEqual([]);
  });

  it("has every route in the reference", () => {
    const text = reference()
      .pages.map((page) => page.text)
      .join("\n");
    const headings = [...text.matchAll(/^## (\w+) (\S+)$/gm)].map(
      ([, method, path = ""]) => `${method} ${path}`,
    );
    expect(headings.length).toBeGreaterThanOrEqual(surfaces.flatMap(({ routes }) => routes).length);
    expect(text).not.toContain("[object Object]");
    expect(text).not.toContain("undefined");
  });
});
