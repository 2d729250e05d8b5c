import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseSync } from "vite";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "../..");

const [, page = ""] = readFileSync(join(ROOT, "docs/vocabulary.md"), "utf8").split("## Words not used");

/** Words of no identifier, with what to write instead: the rows of a table in docs/vocabulary.md. */
const UNCLEAR: Record<string, string> = Object.fromEntries(
  [...page.matchAll(/^\| ([a-z, ]+) \| (.+) \|$/gm)]
    .slice(1)
    .flatMap(([, words = "", instead = ""]) => words.split(", ").map((word) => [word, instead])),
);

/** Words that name a parameter, a member, a function or a type only with a noun: a match, a result, a kind. */
const ALONE = new Set(
  "found known made left what given placed which kept taken named gone chosen alone across".split(" "),
);

/** Words and beginnings of comments, with what to write instead. */
const COMMENTS: [pattern: RegExp, instead: string][] = [
  [/\b(nobody|somebody|whoever|anybody|everybody)\b/i, "the role: a caller, an operator, a client"],
  [/\b(told|reckon\w*)\b/i, "reported, sent, known; estimated, counted"],
  [/\b(of late|be had|not any more|knows better|in hand)\b/i, "recently, available, no longer, …"],
  [/\b(that|what|which) is no (?!longer|more)/i, "a positive statement: what it is"],
  [/\bc[oa]mes? to nothing\b/i, "fails, has no effect"],
];
const COMPLEMENT = /^\*\s*(Of|By|Whom|Whose|Below|Behind|Beside)\b/;

interface Node {
  type: string;
  start: number;
  name?: string;
  [member: string]: unknown;
}

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && typeof (value as Node).type === "string";

/** The names that a node declares, with whether each is a parameter, a member, a function or a type. */
function* declaredNames(node: Node): Generator<{ name: Node; plain: boolean }> {
  const of = (value: unknown, plain: boolean): { name: Node; plain: boolean }[] =>
    isNode(value) && /^(Private)?Identifier$/.test(value.type) ? [{ name: value, plain }] : [];
  switch (node.type) {
    case "VariableDeclarator":
      yield* of(node.id, isNode(node.init) && /Function/.test(node.init.type));
      break;
    case "FunctionDeclaration":
    case "FunctionExpression":
    case "ArrowFunctionExpression":
    case "TSFunctionType":
    case "TSMethodSignature":
      yield* of(node.id ?? node.key, true);
      for (const parameter of (node.params as Node[] | undefined) ?? [])
        yield* of(parameter.type === "AssignmentPattern" ? parameter.left : parameter, true);
      break;
    case "ClassDeclaration":
    case "TSInterfaceDeclaration":
    case "TSTypeAliasDeclaration":
      yield* of(node.id, true);
      break;
    case "TSPropertySignature":
    case "PropertyDefinition":
    case "MethodDefinition":
      if (!node.computed) yield* of(node.key, true);
      break;
    case "Property":
      if (!node.computed) yield* of(node.key, false);
      yield* of(node.value, false);
      break;
    case "ImportSpecifier":
      yield* of(node.local, false);
      break;
  }
}

function* nodesOf(value: unknown): Generator<Node> {
  if (Array.isArray(value)) for (const item of value) yield* nodesOf(item);
  else if (isNode(value)) {
    yield value;
    for (const member of Object.values(value)) if (typeof member === "object") yield* nodesOf(member);
  }
}

const wordsOf = (name: string): string[] =>
  name
    .replace(/([a-z0-9])([A-Z])|([A-Z])(?=[A-Z][a-z])/g, "$1$3 $2")
    .toLowerCase()
    .split(/[ _]/);

/** What is wrong with a name, if anything. Names of wires and columns have underscores, and are theirs. */
function nameFault(name: string, plain: boolean): string | undefined {
  if (/^[a-z0-9]+_/.test(name) || name === "hasOwn") return undefined;
  const unclear = wordsOf(name).find((word) => Object.hasOwn(UNCLEAR, word));
  if (unclear) return `\`${name}\`: instead of "${unclear}", ${UNCLEAR[unclear]}`;
  if (plain && ALONE.has(name.toLowerCase()))
    return `\`${name}\`: a noun, such as match, result, input, kind`;
  return undefined;
}

/** What is wrong with a comment, if anything. */
function commentFault(text: string): string | undefined {
  for (const [pattern, instead] of COMMENTS) {
    const match = text.match(pattern);
    if (match) return `comment: instead of "${match[0].trim()}", ${instead}`;
  }
  const complement = text.match(COMPLEMENT);
  return complement
    ? `comment: begins with "${complement[1]}"; begin with the noun that it is about`
    : undefined;
}

/** Every fault of a source, each with its line. */
function faultsOf(file: string, text: string): string[] {
  const { program, comments } = parseSync(file, text);
  const at = (start: number): string => `${file}:${text.slice(0, start).split("\n").length}`;
  const names = [...nodesOf(program)].flatMap((node) =>
    [...declaredNames(node)].flatMap(({ name, plain }) => {
      const fault = nameFault(name.name as string, plain);
      return fault ? [`${at(name.start)} ${fault}`] : [];
    }),
  );
  const remarks = comments.flatMap(({ value, start }) => {
    const fault = commentFault(value);
    return fault ? [`${at(start)} ${fault}`] : [];
  });
  return [...new Set([...names, ...remarks])];
}

const sources = ["packages", "apps"]
  .flatMap((folder) => readdirSync(join(ROOT, folder)).map((name) => `${folder}/${name}/src`))
  .concat("packages/console/web/src")
  .flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => /\.tsx?$/.test(name) && !name.endsWith(".d.ts"))
      .map((name) => `${folder}/${name.replaceAll("\\", "/")}`),
  );

test("names and comments of the sources use words that a reader need not guess", () => {
  const faults = sources.flatMap((file) => faultsOf(file, readFileSync(join(ROOT, file), "utf8")));
  expect(faults).toEqual([]);
});

test.each([
  ["const told = 1;", "told"],
  ["function send(which: string) { return which; }", "which"],
  ["export interface Asked { id: string }", "asked"],
  ["const PATIENCE_MS = 1_000;", "patience"],
  ["class Reply { #told = 1; }", "told"],
  ["/** Of the request. */\nexport const id = 1;", "begins with"],
  ["// Nobody waits for it.\nexport const id = 1;", "Nobody"],
])("the check of words finds what is wrong in %s", (text, word) => {
  expect(faultsOf("sample.ts", text).join()).toContain(word);
});

test.each([
  'const found = [1].find((id) => id > 0); const text = "told";',
  "interface Row { is_own: number } /** The request's id. */ type Id = string;",
  "Object.hasOwn({}, `own`); // A match that is no longer needed.",
])("the check of words leaves alone what is clear: %s", (text) => {
  expect(faultsOf("sample.ts", text)).toEqual([]);
});

test("messages quote the name of a model in one way", () => {
  const other = /\bmodel (?:"\$\{|\$\{JSON\.stringify\()/;
  const found = sources.filter((file) => other.test(readFileSync(join(ROOT, file), "utf8")));
  expect(found).toEqual([]);
});
