import { join, relative } from "node:path";
import {
  API,
  type Checker,
  type Symbol as Declared,
  type Project,
  SymbolFlags,
  type Type,
} from "typescript/unstable/sync";

const root = join(import.meta.dirname, "../..");

/** Something that an editor shows to a user of a package. */
export interface Declaration {
  /** `Usage`, or `Usage.input` for a member. */
  name: string;
  /** From the root of the repository. */
  file: string;
  /** Its doc comment, without tags; empty where it has none. */
  comment: string;
}

const modifiersOf = (symbol: Declared): string[] =>
  symbol.declarations.flatMap((handle) => {
    const { modifiers = [] } = handle.resolve() as { modifiers?: readonly { getText(): string }[] };
    return modifiers.map((one) => one.getText());
  });

/**
 * Whether an editor offers a member, and there is something to say of it: no type parameters, constructors and private
 * members, and no `type: "text"`, whose only value says all.
 */
const isDescribable = (member: Declared, checker: Checker): boolean =>
  !member.name.startsWith("__") &&
  (member.flags & SymbolFlags.TypeParameter) === 0 &&
  !modifiersOf(member).some((one) => one === "private" || one === "protected") &&
  checker.getTypeOfSymbol(member)?.isStringLiteralType() !== true;

/** The symbols that hold the members of an exported name: a union has one for each of its written-out forms. */
function holdersOf(symbol: Declared, checker: Checker): Declared[] {
  if (symbol.flags & (SymbolFlags.Interface | SymbolFlags.Class)) return [symbol];
  if (!(symbol.flags & SymbolFlags.TypeAlias)) return [];
  const forms = (type: Type): readonly Type[] =>
    type.isUnionType() || type.isIntersectionType() ? (type.getTypes() ?? []).flatMap(forms) : [type];
  return forms(checker.getDeclaredTypeOfSymbol(symbol))
    .map((type) => type.getSymbol())
    .filter((one) => one !== undefined)
    .filter(({ name }) => name === "__type");
}

/**
 * What the modules at `sources` export, with the members of exported types, each once. What is declared outside of
 * `folder` is left out: another package describes it.
 */
function declarationsOf(
  { checker, program }: Project,
  sources: readonly string[],
  folder: string,
): Declaration[] {
  const found = new Map<Declared, Declaration>();
  const add = (symbol: Declared, name: string): boolean => {
    const path = symbol.declarations[0]?.path;
    if (path === undefined || !path.startsWith(folder) || found.has(symbol)) return false;
    const comment = checker.getDocumentationCommentOfSymbol(symbol);
    found.set(symbol, { name, file: relative(root, path), comment });
    return true;
  };
  for (const source of sources) {
    const file = program.getSourceFile(source);
    const module = file && checker.getSymbolAtLocation(file);
    if (module === undefined) throw new Error(`${source} is no module`);
    for (const exported of checker.getExportsOfModule(module)) {
      const symbol = exported.flags & SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
      if (!add(symbol, exported.name)) continue;
      for (const holder of holdersOf(symbol, checker))
        for (const member of holder.getMembers().values())
          if (isDescribable(member, checker)) add(member, `${exported.name}.${member.name}`);
    }
  }
  return [...found.values()];
}

/** The entry points of a package, as paths of their sources. */
export interface Doors {
  name: string;
  folder: string;
  sources: readonly string[];
}

/** What an editor shows of each package, by its name. */
export function publicDeclarations(packages: readonly Doors[]): Map<string, Declaration[]> {
  const api = new API({ cwd: root });
  try {
    const snapshot = api.updateSnapshot({ openProjects: [join(root, "tsconfig.json")] });
    const [project] = snapshot.getProjects();
    if (project === undefined) throw new Error("the compiler found no project");
    return new Map(
      packages.map(({ name, folder, sources }) => [name, declarationsOf(project, sources, folder)]),
    );
  } finally {
    api.close();
  }
}
