import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { API } from "typescript/unstable/sync";
import { placeOf, ROOT, type Snippet, snippets, textOf } from "./pages.ts";
import { preambles } from "./preambles.ts";

/** Inside the repository, so that programs find its packages and `tsc` its settings. */
export const MADE = join(ROOT, "test/docs/.made");

const NEEDS = /<!-- snippet: ([\w, ]+) -->$/;

/** The names that a page gives above a snippet. */
function needsOf({ page, line }: Snippet): string[] {
  const above = textOf(page).split("\n")[line - 2] ?? "";
  return NEEDS.exec(above)?.[1]?.split(", ") ?? [];
}

function programOf(snippet: Snippet, before: string): string {
  const preamble = needsOf(snippet).map((name) => {
    if (name === "continues") return before;
    const found = preambles[name];
    if (found === undefined) throw new Error(`${placeOf(snippet)}: no preamble '${name}'`);
    return found;
  });
  return [...preamble, snippet.text].join("\n");
}

export interface Prepared {
  place: string;
  text: string;
}

/** Every snippet of TypeScript of a page, or of all pages, below what its page leaves out. */
export function preparedSnippets(page?: string): Prepared[] {
  const texts = new Map<string, string>();
  return snippets
    .filter((snippet) => snippet.language === "ts" && (page === undefined || snippet.page === page))
    .map((snippet) => {
      const text = programOf(snippet, texts.get(snippet.page) ?? "");
      texts.set(snippet.page, text);
      return { place: placeOf(snippet), text };
    });
}

export interface Program {
  place: string;
  file: string;
}

/** Writes every snippet of TypeScript as a module, with addresses of pages changed by `edit`. */
export function writePrograms(edit: (text: string) => string): Program[] {
  rmSync(MADE, { recursive: true, force: true });
  mkdirSync(MADE, { recursive: true });
  const settings = {
    extends: "../../../tsconfig.json",
    compilerOptions: { noUnusedLocals: false },
    include: ["*.ts"],
  };
  writeFileSync(join(MADE, "tsconfig.json"), JSON.stringify(settings));
  return preparedSnippets().map(({ place, text }) => {
    const file = `${place.replaceAll(/[^\w]+/g, "-")}.ts`;
    writeFileSync(join(MADE, file), edit(`${text}\nexport {};\n`));
    return { place, file };
  });
}

/**
 * What the compiler finds in these programs, each as `FILE:POSITION: text`, and in the settings. It checks no module
 * that they import: `npm run check` does, and it takes most of a compilation.
 */
export function typeErrors(files: readonly string[]): string[] {
  const api = new API({ cwd: MADE });
  try {
    const [project] = api.updateSnapshot({ openProjects: [join(MADE, "tsconfig.json")] }).getProjects();
    if (project === undefined) throw new Error("the compiler found no project");
    const { program } = project;
    const found = [
      ...program.getConfigFileParsingDiagnostics(),
      ...program.getProgramDiagnostics(),
      ...files.flatMap((file) => {
        const path = join(MADE, file);
        if (program.getSourceFile(path) === undefined) throw new Error(`${file} is not compiled`);
        return [...program.getSyntacticDiagnostics(path), ...program.getSemanticDiagnostics(path)];
      }),
    ];
    return found.map(({ fileName = "", pos, text }) => `${basename(fileName)}:${pos}: ${text}`);
  } finally {
    api.close();
  }
}
