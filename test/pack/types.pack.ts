import { expect, it } from "vitest";
import { compile, describeFresh, doors, write } from "./project.ts";

/** Entry points without peers whose own types need others: msw's those of browsers, the AI SDK's those of JSON Schema. */
const bare = doors.filter(([door]) => !/\/(msw|ai-sdk)$/.test(door));
/** Uses of every name of these entry points: a value without a type is an error, and so is a type that is missing. */
const uses = bare.flatMap(([door, { values, types }], at) => [
  ...values.map((name) => `export type V${at}${name} = typeof m${at}.${name};`),
  ...types.map((name) => `export type { ${name} as T${at}${name} } from "${door}";`),
]);
const imported = bare.map(([door], at) => `import * as m${at} from "${door}";`);
const required = bare.map(([door], at) => `import m${at} = require("${door}");`);

describeFresh("types", (fresh) => {
  const files = {
    nodenext: [
      write(fresh, "all.mts", [...imported, ...uses].join("\n")),
      write(fresh, "all.cts", [...required, ...uses].join("\n")),
    ],
    bundler: [write(fresh, "all.ts", [...imported, ...uses].join("\n"))],
  };
  const matrix = Object.keys(fresh.compilers).flatMap((version) => [
    { version, module: "nodenext", resolution: "nodenext" as const },
    { version, module: "esnext", resolution: "bundler" as const },
  ]);

  it.each(matrix)("$version finds every name by $resolution", ({ version, module, resolution }) => {
    const words = ["--module", module, "--moduleResolution", resolution, ...files[resolution]];
    expect(compile(fresh, fresh.compilers[version] ?? "", ...words)).toBe("");
  });

  it.each(Object.entries(fresh.compilers))("%s is not deaf: it names what is missing", (_, compiler) => {
    const file = write(fresh, "missing.mts", `import { missing } from "@manifold-gateway/core";\nmissing();`);
    expect(compile(fresh, compiler, "--module", "nodenext", file)).toContain(
      "has no exported member 'missing'",
    );
  });
});
