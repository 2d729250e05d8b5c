import { expect, it } from "vitest";
import { describeFresh, doors, run, write } from "./project.ts";

const tell = "console.log(JSON.stringify(found.map((module) => Object.keys(module).sort())));";
const list = (word: string): string => doors.map(([door]) => `${word}(${JSON.stringify(door)})`).join(", ");

describeFresh("entry points", (fresh) => {
  const programs = {
    import: write(fresh, "load.mjs", `const found = await Promise.all([${list("import")}]);\n${tell}`),
    require: write(fresh, "load.cjs", `const found = [${list("require")}];\n${tell}`),
  };
  const ways = Object.keys(fresh.nodes).flatMap((runtime) => [
    { runtime, way: "import" as const },
    { runtime, way: "require" as const },
  ]);

  it.each(ways)("$runtime gets every public name by $way", ({ runtime, way }) => {
    const names = JSON.parse(run(fresh, fresh.nodes[runtime] ?? "", programs[way]));
    expect(names).toEqual(doors.map(([, { values }]) => values));
  });
});
