import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { parseSync } from "vite";

/** The names that a source file exports, types among them, and those of files that it exports again. */
export function exportedNames(file: string): string[] {
  const { module, errors } = parseSync(file, readFileSync(file, "utf8"));
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
  const names = module.staticExports.flatMap(({ entries }) =>
    entries.flatMap(({ exportName, importName, moduleRequest }) =>
      moduleRequest && importName.kind === "AllButDefault"
        ? exportedNames(resolve(dirname(file), moduleRequest.value))
        : [exportName.name ?? "default"],
    ),
  );
  return [...new Set(names)];
}
