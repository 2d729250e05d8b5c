import { builtinModules } from "node:module";
import { join } from "node:path";
import { build, type Plugin, type Rolldown } from "vite";

/** Native libraries, or what leads to them: there is no place for them, so that nobody may need them. */
const native = ["@node-rs/argon2", "better-sqlite3", "pg-native", "undici"];

/** CommonJS that requires a module of Node is given it by an import: there is no `require`. */
const builtins: Plugin = {
  name: "builtins",
  enforce: "pre",
  resolveId: (id) => (builtinModules.includes(id) ? `\0builtin:${id}` : undefined),
  load: (id) =>
    id.startsWith("\0builtin:")
      ? `export * from "node:${id.slice(9)}"; export { default } from "node:${id.slice(9)}";`
      : undefined,
};

/**
 * The modules of a program for workerd by their names, the entry first, and the configuration that runs them: with
 * `isLasting`, a program whose class `Service` outlives requests.
 */
export async function bundleForWorkerd(entry: string, isLasting: boolean): Promise<Map<string, string>> {
  const made = await build({
    root: import.meta.dirname,
    configFile: false,
    logLevel: "silent",
    plugins: [builtins],
    resolve: { conditions: ["manifold", "workerd"] },
    build: {
      write: false,
      minify: false,
      modulePreload: false,
      target: "esnext",
      rolldownOptions: {
        input: entry,
        platform: "neutral",
        preserveEntrySignatures: "strict",
        external: [/^node:/, /^cloudflare:/, ...native],
        // What is loaded where it is used stays apart: in one file, all of it would be loaded at the start.
        output: { entryFileNames: "worker.js", chunkFileNames: "[name]-[hash].js" },
      },
    },
  });
  const chunks = (made as Rolldown.RolldownOutput).output.filter((one) => one.type === "chunk");
  const files = new Map(chunks.map(({ fileName, code }) => [fileName, code]));
  return files.set("config.capnp", configured([...files.keys()], isLasting));
}

/** An object for the gateway, since connections end with the request that opened them. */
const lasting = `
        (name = "DATABASE", fromEnvironment = "DATABASE"),
        (name = "SERVICE", durableObjectNamespace = "Service"),
      ],
      durableObjectNamespaces = [(className = "Service", uniqueKey = "service")],
      durableObjectStorage = (inMemory = void),`;

/** `env` holds what the process has. */
const configured = (modules: readonly string[], isLasting: boolean): string => `
using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = (
      modules = [${modules.map((name) => `(name = "${name}", esModule = embed "${name}")`).join(", ")}],
      compatibilityDate = "2026-01-01",
      ${isLasting ? `compatibilityFlags = ["nodejs_compat"],` : ""}
      bindings = [
        (name = "UPSTREAM", fromEnvironment = "UPSTREAM"),${isLasting ? lasting : "\n      ],"}
      globalOutbound = "network",
    )),
    (name = "network", network = (allow = ["private", "local"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
`;

/** A program for a page, in one text. */
export async function bundleForPage(entry: string): Promise<string> {
  const made = await build({
    root: import.meta.dirname,
    configFile: false,
    logLevel: "silent",
    resolve: { conditions: ["manifold", "browser"] },
    build: {
      write: false,
      minify: false,
      modulePreload: false,
      target: "esnext",
      rolldownOptions: { input: entry, preserveEntrySignatures: "strict", output: { codeSplitting: false } },
    },
  });
  const [chunk] = (made as Rolldown.RolldownOutput).output.filter((one) => one.type === "chunk");
  return chunk?.code ?? "";
}

export const workerdProgram = join(import.meta.dirname, "programs/workerd.ts");
