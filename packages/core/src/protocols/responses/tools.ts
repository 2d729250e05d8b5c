import type { FunctionTool, Tool } from "../../ir/index.ts";
import { textOf, toObject } from "../../json/json.ts";
import { wireFieldsOf } from "./parts.ts";

/**
 * Tools of a namespace go by their short names on this wire. Elsewhere names stand alone, so the IR has both
 * in one, and `extra` keeps the namespace apart to find the border again.
 */
export const longName = (namespace: string | undefined, name: string): string =>
  namespace === undefined ? name : prefix(namespace) + name;

/** The short name; nothing where `name` does not stand in the namespace. */
export const shortName = (namespace: string, name: string): string | undefined =>
  name.startsWith(prefix(namespace)) ? name.slice(prefix(namespace).length) : undefined;

const prefix = (namespace: string): string => (namespace.endsWith("__") ? namespace : `${namespace}__`);

/** The namespace that a tool or a call came with. */
export const namespaceOf = (node: FunctionTool): string | undefined =>
  textOf(toObject(wireFieldsOf(node).namespace).name);

/** A tool without a name cannot be called. */
export const isFunction = (tool: Tool): tool is FunctionTool => tool.type === "function" && tool.name !== "";
