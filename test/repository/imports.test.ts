import { readdirSync, readFileSync } from "node:fs";
import { join, matchesGlob, relative } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");

/** What the sources of a workspace may import beside their own files. */
const arrows: Record<string, { packages: string[]; builtins: boolean; libraries?: string[] }> = {
  "packages/core": { packages: [], builtins: false, libraries: ["zod", "eventsource-parser"] },
  "packages/providers": { packages: ["@manifold-gateway/core"], builtins: true },
  "packages/client": {
    packages: ["@manifold-gateway/core", "@manifold-gateway/providers"],
    builtins: false,
    libraries: ["@ai-sdk/provider"],
  },
  "packages/store": { packages: ["@manifold-gateway/core"], builtins: true },
  "packages/simulator": { packages: [], builtins: true },
  "packages/media": { packages: [], builtins: true },
  "packages/console": { packages: [], builtins: true },
  "packages/gateway": {
    packages: [
      "@manifold-gateway/core",
      "@manifold-gateway/media",
      "@manifold-gateway/providers",
      "@manifold-gateway/store",
    ],
    builtins: true,
  },
  "packages/demo": {
    packages: [
      "@manifold-gateway/gateway",
      "@manifold-gateway/providers",
      "@manifold-gateway/simulator",
      "@manifold-gateway/store",
    ],
    builtins: true,
  },
  "packages/testing": {
    packages: [
      "@manifold-gateway/core",
      "@manifold-gateway/gateway",
      "@manifold-gateway/providers",
      "@manifold-gateway/simulator",
      "@manifold-gateway/store",
    ],
    builtins: true,
  },
  "apps/server": {
    packages: [
      "@manifold-gateway/console",
      "@manifold-gateway/core",
      "@manifold-gateway/demo",
      "@manifold-gateway/gateway",
      "@manifold-gateway/providers",
      "@manifold-gateway/store",
      "@manifold-gateway/simulator",
    ],
    builtins: true,
  },
};

/** The only places that see a library whose types would otherwise spread. */
const homes: Record<string, RegExp> = {
  h3: /^packages\/gateway\//,
  ky: /^packages\/(providers|gateway)\//,
  kysely: /^packages\/store\//,
  undici: /^packages\/providers\//,
  "better-sqlite3": /^packages\/store\//,
  pg: /^packages\/store\//,
};

interface Import {
  file: string;
  from: string;
  typeOnly: boolean;
  lazy: boolean;
  statement: string;
}

const STATEMENT =
  /^(?:import|export)\s+(type\s)?[^'"`;]*?from\s+"([^"]+)"|^import\s+"([^"]+)"|\bimport\("([^"]+)"\)/gm;

const imports = Object.keys(arrows).flatMap((workspace) =>
  readdirSync(join(root, workspace, "src"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
    .flatMap((entry): Import[] => {
      const path = join(entry.parentPath, entry.name);
      const file = relative(root, path).replaceAll("\\", "/");
      return [...readFileSync(path, "utf8").matchAll(STATEMENT)].map(
        ([statement, type, from, bare, lazy]) => ({
          file,
          from: (from ?? bare ?? lazy) as string,
          typeOnly: type !== undefined,
          lazy: lazy !== undefined,
          statement,
        }),
      );
    }),
);

interface Manifest {
  dependencies?: Record<string, string>;
  /** Of libraries that only some installations have. */
  peerDependencies?: Record<string, string>;
  sideEffects?: boolean;
  exports?: Record<string, unknown>;
}

const manifestOf = (workspace: string): Manifest =>
  JSON.parse(readFileSync(join(root, workspace, "package.json"), "utf8")) as Manifest;

const told = ({ file, from }: Import): string => `${file} imports ${from}`;
const isOwn = (from: string): boolean => from.startsWith(".");
const libraryOf = (from: string): string =>
  (from.startsWith("@") ? from.split("/").slice(0, 2) : from.split("/", 1)).join("/");
const resolved = ({ file, from }: Import): string => join(file, "..", from).replaceAll("\\", "/");

/** Whether a package has an entry point of this name. */
const isDoor = (from: string): boolean => {
  const { exports = {} } = manifestOf(`packages/${libraryOf(from).slice("@manifold-gateway/".length)}`);
  const door = `.${from.slice(libraryOf(from).length)}`;
  return Object.keys(exports).some((name) => matchesGlob(door, name));
};

test("every workspace has imports to check", () => {
  for (const workspace of Object.keys(arrows))
    expect(imports.filter(({ file }) => file.startsWith(`${workspace}/`)).length).toBeGreaterThan(0);
});

test.each(Object.entries(arrows))(
  "the workspace %s imports only what its row allows",
  (workspace, { packages, builtins, libraries }) => {
    const foreign = imports.filter(({ file, from }) => file.startsWith(`${workspace}/src/`) && !isOwn(from));
    const wrong = foreign.filter(({ from }) => {
      if (from.startsWith("node:")) return !builtins;
      const library = libraryOf(from);
      if (library.startsWith("@manifold-gateway/")) return !isDoor(from) || !packages.includes(library);
      return libraries !== undefined && !libraries.includes(library);
    });
    expect(wrong.map(told)).toEqual([]);
  },
);

test("every workspace lists what it imports among its dependencies", () => {
  const missing = Object.keys(arrows).flatMap((workspace) => {
    const { dependencies = {}, peerDependencies = {} } = manifestOf(workspace);
    const listed = { ...dependencies, ...peerDependencies };
    return imports.filter(
      ({ file, from }) =>
        file.startsWith(`${workspace}/src/`) &&
        !isOwn(from) &&
        !from.startsWith("node:") &&
        listed[libraryOf(from)] === undefined,
    );
  });
  expect(missing.map(told)).toEqual([]);
});

test("the core needs nothing that only one runtime has", () => {
  const NAMES =
    /(?<![.\w$-])(?:Buffer|process|global|__dirname|__filename|require|setImmediate|window)\b(?!["':-])/;
  const files = readdirSync(join(root, "packages/core/src"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
    .map((entry) => join(entry.parentPath, entry.name))
    // It uses what a runtime has and does the same without it, which its own test shows.
    .filter((file) => !file.endsWith(join("core/src/reply", "bytes.ts")));
  expect(files.length).toBeGreaterThan(0);
  const wrong = files.flatMap((file) =>
    readFileSync(file, "utf8")
      .split("\n")
      .filter((line) => !/^\s*(\/\/|\/?\*)/.test(line) && NAMES.test(line))
      .map((line) => `${relative(root, file)}: ${line.trim()}`),
  );
  expect(wrong).toEqual([]);
});

test("a bundler may leave out what a program does not use", () => {
  const libraries = Object.keys(arrows).filter((workspace) => workspace.startsWith("packages/"));
  expect(libraries.filter((workspace) => manifestOf(workspace).sideEffects !== false)).toEqual([]);
  // As one object the library of schemas comes whole, with its messages in every language.
  const core = imports.filter(({ file, from }) => file.startsWith("packages/core/") && from === "zod");
  const whole = core.filter(({ statement }) => !/^import (?:type|\* as z) /.test(statement));
  expect(core.length).toBeGreaterThan(0);
  expect(whole.map(told)).toEqual([]);
});

test("no file reaches into another workspace", () => {
  const wrong = imports.filter((one) => {
    const workspace = one.file.split("/").slice(0, 2).join("/");
    return isOwn(one.from) && !resolved(one).startsWith(`${workspace}/src/`);
  });
  expect(wrong.map(told)).toEqual([]);
});

test.each(Object.entries(homes))("the library %s is imported only where it belongs", (library, home) => {
  const wrong = imports.filter(({ file, from }) => libraryOf(from) === library && !home.test(file));
  expect(wrong.map(told)).toEqual([]);
});

test("a gateway is loaded without what not every runtime has", () => {
  const inside = (one: Import): string => {
    if (isOwn(one.from)) return resolved(one);
    const [, name = "", door = "index"] = one.from.split("/");
    const { exports = {} } = manifestOf(`packages/${name}`);
    const target = exports[door === "index" ? "." : `./${door}`] as { manifold: string };
    return join("packages", name, target.manifold).replaceAll("\\", "/");
  };
  const reached = new Set(["packages/gateway/src/index.ts"]);
  const beyond = new Set<string>();
  for (const file of reached)
    for (const one of imports.filter((one) => one.file === file && !one.typeOnly && !one.lazy))
      if (isOwn(one.from) || one.from.startsWith("@manifold-gateway/")) reached.add(inside(one));
      else beyond.add(one.from);
  expect(reached.size).toBeGreaterThan(300);
  for (const native of ["@node-rs/argon2", "better-sqlite3", "node:worker_threads", "pg", "undici"])
    expect([...beyond]).not.toContain(native);
});

test("the server loads the simulator only in the start that uses it", () => {
  const uses = imports.filter(
    ({ file, from, typeOnly }) =>
      file.startsWith("apps/server/") && libraryOf(from) === "@manifold-gateway/simulator" && !typeOnly,
  );
  expect(uses.length).toBeGreaterThan(0);
  expect(uses.filter(({ lazy }) => !lazy).map(told)).toEqual([]);
});

test("a protocol never imports another", () => {
  const protocolOf = (path: string): string | undefined => /\/protocols\/([^/]+)\//.exec(path)?.[1];
  const wrong = imports.filter((one) => {
    const own = protocolOf(one.file);
    const other = isOwn(one.from) ? protocolOf(resolved(one)) : undefined;
    return own !== undefined && other !== undefined && own !== other && one.file.startsWith("packages/core/");
  });
  expect(wrong.map(told)).toEqual([]);
});

test("shared code of the core knows its protocols by their facts alone", () => {
  /** An operation's codec may stand on that of its own protocol, as one that prompts models of text does. */
  const isOfProtocol = (path: string, file: string): boolean =>
    path.includes(`/protocols/${/\/operations\/\w+\/(\w+)\.ts$/.exec(file)?.[1]}/`);
  const wrong = imports.filter(
    (one) =>
      one.file.startsWith("packages/core/src/") &&
      !one.file.startsWith("packages/core/src/protocols/") &&
      isOwn(one.from) &&
      resolved(one).startsWith("packages/core/src/protocols/") &&
      // Seals are of all protocols, and read nothing but their facts.
      !/\/protocols\/(facts|seal)\.ts$/.test(resolved(one)) &&
      !isOfProtocol(resolved(one), one.file) &&
      !["packages/core/src/index.ts", "packages/core/src/codec-kit.ts"].includes(one.file),
  );
  expect(wrong.map(told)).toEqual([]);
});

test("the ports of the gateway are types, and lead to types", () => {
  const isPort = (path: string): boolean => path.startsWith("packages/gateway/src/ports/");
  const own = imports.filter(({ file }) => isPort(file));
  expect(own.length).toBeGreaterThan(0);
  expect(own.filter(({ typeOnly }) => !typeOnly).map(told)).toEqual([]);
  const folder = join(root, "packages/gateway/src/ports");
  const values = readdirSync(folder).flatMap((name) =>
    readFileSync(join(folder, name), "utf8")
      .split("\n")
      .filter((line) =>
        /^(?!import type |export (?:interface|type) |interface |type |[\s}/&|)]|$)/.test(line),
      )
      .map((line) => `${name}: ${line}`),
  );
  expect(values).toEqual([]);
  // An error class, the rows of surfaces, and the exchange, which is types itself.
  const beyond = own.filter((one) => isOwn(one.from) && !isPort(resolved(one))).map(resolved);
  expect([...new Set(beyond)].sort()).toEqual(
    ["http/exchange.ts", "http/refusal.ts", "route.ts"].map((path) => `packages/gateway/src/${path}`),
  );
});
