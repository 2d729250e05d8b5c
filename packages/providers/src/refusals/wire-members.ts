import { codecs } from "@manifold-gateway/core";
import type { ParamName } from "@manifold-gateway/core/ir";

/** A member's name without casing and underscores: vendors name a member of another wire in their own. */
const plain = (name: string): string => name.toLowerCase().replaceAll("_", "");

/** The last member of a path, without indexes: `tools[0].function.strict`, `generation_config.topK`. */
export const lastMember = (path: string): string => {
  const steps = path.split(/[.[\]]/).filter((step) => step !== "" && !/^\d+$/.test(step));
  return plain(steps.at(-1) ?? "");
};

/** The parameters by the last members of their places on all wires. The members of rows that have one in common are left out. */
const paramsByMember: ReadonlyMap<string, ParamName> = new Map(
  Object.values(codecs).flatMap(({ params }) =>
    params
      .filter(({ wire }) => wire !== "include")
      .flatMap(({ name, wire, also = [] }) =>
        [wire, ...also].map((path): [string, ParamName] => [lastMember(path), name]),
      ),
  ),
);

/** The parameter that a provider's path names, if it is one. */
export const paramAt = (path: string): ParamName | undefined => paramsByMember.get(lastMember(path));
