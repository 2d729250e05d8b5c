import { expect, it } from "vitest";
import { preparedSnippets } from "../docs/programs.ts";
import { compile, describeFresh, run, write } from "./project.ts";

const samples = preparedSnippets("README.md").map(({ place, text }) => ({
  place,
  text: `${text.replaceAll("8787", "0")}\nexport {};\n`,
}));

describeFresh("samples of the README in an empty project", (fresh) => {
  const files = samples.map(({ text }, at) => write(fresh, `sample-${at}.mts`, text));
  const [compiler = ""] = Object.values(fresh.compilers).slice(-1);

  it("compile with the types of dependencies read as well", () => {
    expect(files.length).toBeGreaterThan(0);
    const said = compile(fresh, compiler, "--module", "nodenext", "--moduleResolution", "nodenext", ...files);
    expect(said).toBe("");
  });

  it.each(Object.entries(fresh.nodes))("run on %s", (_, node) => {
    const all = files.map((file) => `await import("./${file}"); console.log("ran ${file}");`);
    const program = write(fresh, "samples.mts", [...all, "process.exit();"].join("\n"));
    for (const file of files) expect(run(fresh, node, program)).toContain(`ran ${file}`);
  });
});
