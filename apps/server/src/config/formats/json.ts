import jsonc, { type Node, type ParseError } from "jsonc-parser";
import { type Source, SyntaxProblem } from "./source.ts";

/** Reads JSON with comments and trailing commas. */
export function readJson(text: string): Source {
  const errors: ParseError[] = [];
  const root = jsonc.parseTree(text, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first) throw new SyntaxProblem(first.offset, describeError(first));
  if (!root) throw new SyntaxProblem(0, "the file is empty");
  refuseDuplicates(root);
  const step = /\n([ \t]+)"/.exec(text)?.[1] ?? "  ";
  const formattingOptions = { insertSpaces: !step.startsWith("\t"), tabSize: step.length };
  return {
    value: jsonc.getNodeValue(root),
    offsetOf: (path) => offsetIn(root, path),
    withValues: (values) =>
      values.reduce(
        (edited, [path, value]) =>
          jsonc.applyEdits(edited, jsonc.modify(edited, [...path], value, { formattingOptions })),
        text,
      ),
  };
}

/** Throws at the second property of a name: which of the two was meant is not known. YAML forbids it too. */
function refuseDuplicates({ type, children = [] }: Node): void {
  const names = new Set<string>();
  for (const child of children) {
    const [name] = child.children ?? [];
    if (type === "object" && name) {
      if (names.has(name.value)) throw new SyntaxProblem(name.offset, `'${name.value}' is there twice`);
      names.add(name.value);
    }
    refuseDuplicates(child);
  }
}

/** Writes an error code such as `PropertyNameExpected` in words. */
const describeError = ({ error }: ParseError): string =>
  jsonc
    .printParseErrorCode(error)
    .replace(/(?<=[a-z])(?=[A-Z])/g, " ")
    .toLowerCase();

function offsetIn(node: Node, path: readonly PropertyKey[], around = node.offset): number {
  const [step, ...rest] = path;
  if (step === undefined) return around;
  const found = node.type === "array" ? node.children?.[Number(step)] : propertiesOf(node).get(String(step));
  const inside = found?.type === "property" ? found.children?.[1] : found;
  return found && inside ? offsetIn(inside, rest, found.offset) : around;
}

const propertyMaps = new WeakMap<Node, Map<string, Node>>();

/** The properties of an object by their names. */
function propertiesOf(node: Node): Map<string, Node> {
  const found =
    propertyMaps.get(node) ??
    new Map(node.children?.map((property) => [String(property.children?.[0]?.value), property]));
  propertyMaps.set(node, found);
  return found;
}
