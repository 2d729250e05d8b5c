import { join } from "node:path";
import { expect, it } from "vitest";
import { describeFresh, doors, nodeOf, run, write } from "./project.ts";

/** Entry points without peers whose own types need those of browsers, as the ones of msw do. */
const bare = doors.filter(([door]) => !door.endsWith("/msw"));
/** Uses of every value of these entry points: a name without a type is an error. */
const uses = bare.flatMap(([, names], at) =>
  names.map((name) => `export type T${at}${name} = typeof m${at}.${name};`),
);
const imported = bare.map(([door], at) => `import * as m${at} from "${door}";`);
const required = bare.map(([door], at) => `import m${at} = require("${door}");`);

const STRICT = [
  "--noEmit",
  "--strict",
  "--exactOptionalPropertyTypes",
  "--target",
  "es2023",
  "--types",
  "node",
];
// No types of browsers, and the types of dependencies are read as well.
const BARE = ["--lib", "es2023", "--skipLibCheck", "false"];

describeFresh("types", (fresh) => {
  const files = {
    nodenext: [
      write(fresh, "all.mts", [...imported, ...uses].join("\n")),
      write(fresh, "all.cts", [...required, ...uses].join("\n")),
    ],
    bundler: [write(fresh, "all.ts", [...imported, ...uses].join("\n"))],
  };
  const compile = (version: string, ...words: string[]): string => {
    const compiler = join(fresh.tools, "node_modules", version, "bin/tsc");
    try {
      return run(fresh, nodeOf(fresh, "node24"), compiler, ...STRICT, ...BARE, ...words);
    } catch (error) {
      return String((error as { stdout: string }).stdout);
    }
  };
  const matrix = ["typescript59", "typescript7"].flatMap((version) => [
    { version, module: "nodenext", resolution: "nodenext" as const },
    { version, module: "esnext", resolution: "bundler" as const },
  ]);

  it.each(matrix)("$version finds every name by $resolution", ({ version, module, resolution }) => {
    const words = ["--module", module, "--moduleResolution", resolution, ...files[resolution]];
    expect(compile(version, ...words)).toBe("");
  });

  it.each(["typescript59", "typescript7"])("%s is not deaf: it names what is missing", (version) => {
    const file = write(fresh, "missing.mts", `import { missing } from "@manifold-gateway/core";\nmissing();`);
    expect(compile(version, "--module", "nodenext", file)).toContain("has no exported member 'missing'");
  });
});
