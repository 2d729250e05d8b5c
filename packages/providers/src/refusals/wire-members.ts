import { paramTables } from "@manifold-gateway/core/codec";
import type { ParamName } from "@manifold-gateway/core/ir";

/** A member's name without casing and underscores: vendors name a member of another wire in their own. */
const plain = (name: string): string => name.toLowerCase().replaceAll("_", "");

const stepsOf = (path: string): string[] =>
  path
    .split(/[.[\]]/)
    .filter((step) => step !== "" && !/^\d+$/.test(step))
    .map(plain);

/** The last member of a path, without indexes: `strict` of `tools[0].function.strict`. */
export const lastMember = (path: string): string => stepsOf(path).at(-1) ?? "";

/** The last two members of a path, without indexes: `messages.role` of `messages[0].role`. */
export const lastMembers = (path: string): string => stepsOf(path).slice(-2).join(".");

/** The parameters by the last members of their places on all wires, without members that several rows have. */
const paramsByMember: ReadonlyMap<string, ParamName> = new Map(
  Object.values(paramTables).flatMap((params) =>
    params
      .filter(({ wire }) => wire !== "include")
      .flatMap(({ name, wire, also = [] }) =>
        [wire, ...also].map((path): [string, ParamName] => [lastMember(path), name]),
      ),
  ),
);

/** The parameter that a provider's path names, if it is one. */
export const paramAt = (path: string): ParamName | undefined => paramsByMember.get(lastMember(path));
