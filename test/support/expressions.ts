import { type ESTree, parseSync, Visitor } from "vite";

/** A regular expression of a source file. */
export interface Expression {
  /** `file:line`. */
  at: string;
  pattern: string;
  flags: string;
}

/** Stands in a pattern for a part that only the running program knows: escaped text, or words to choose from. */
const WORD = "x";

/** The regular expressions of a source file: its literals, and what it gives to `RegExp`. */
export function expressionsOf(file: string, text: string): Expression[] {
  const { program, errors } = parseSync(file, text);
  if (errors.length > 0) throw new SyntaxError(`${file}: ${errors[0]?.message}`);
  const constants = constantsOf(program);
  const found: Expression[] = [];
  const add = (start: number, pattern: string, flags: string): void => {
    found.push({ at: `${file}:${text.slice(0, start).split("\n").length}`, pattern, flags });
  };
  const called = ({
    callee,
    arguments: [pattern, flags],
    start,
  }: ESTree.NewExpression | ESTree.CallExpression) => {
    if (callee.type === "Identifier" && callee.name === "RegExp" && pattern)
      add(start, partOf(pattern, constants), flags ? partOf(flags, constants) : "");
  };
  new Visitor({
    Literal(node) {
      if ("regex" in node) add(node.start, node.regex.pattern, node.regex.flags);
    },
    NewExpression: called,
    CallExpression: called,
  }).visit(program);
  return found;
}

type Constants = ReadonlyMap<string, ESTree.Expression>;

/** The constants of a file by their names. */
function constantsOf(program: ESTree.Program): Constants {
  const constants = new Map<string, ESTree.Expression>();
  new Visitor({
    VariableDeclarator({ id, init }) {
      if (id.type === "Identifier" && init) constants.set(id.name, init);
    },
  }).visit(program);
  return constants;
}

/** The text of a part of a pattern, as far as the source shows it. */
function partOf(node: ESTree.Argument, constants: Constants): string {
  const inner = (other: ESTree.Argument): string => partOf(other, constants);
  switch (node.type) {
    case "Literal":
      return "regex" in node ? node.regex.pattern : String(node.value);
    case "TemplateLiteral":
      return interleaved(
        node.quasis.map(({ value }) => value.cooked ?? value.raw),
        node.expressions.map(inner),
      );
    case "TaggedTemplateExpression":
      return interleaved(
        node.quasi.quasis.map(({ value }) => value.raw),
        node.quasi.expressions.map(inner),
      );
    case "BinaryExpression":
      return node.left.type === "PrivateIdentifier" ? WORD : inner(node.left) + inner(node.right);
    case "Identifier": {
      const constant = constants.get(node.name);
      // A constant that is made of itself is another one of the same name.
      const others = new Map([...constants].filter(([name]) => name !== node.name));
      return constant ? partOf(constant, others) : WORD;
    }
    default:
      return WORD;
  }
}

const interleaved = (texts: readonly string[], between: readonly string[]): string =>
  texts.map((text, i) => text + (between[i] ?? "")).join("");
