import { accessSync, constants, readdirSync } from "node:fs";
import { delimiter, join } from "node:path";

const POSTGRES = "/usr/lib/postgresql";

/** The folders in which Debian keeps the programs, beside those of the path. */
function folders(): string[] {
  const versions = (() => {
    try {
      return readdirSync(POSTGRES).sort((one, other) => Number(other) - Number(one));
    } catch {
      return [];
    }
  })();
  return [
    ...versions.map((version) => join(POSTGRES, version, "bin")),
    ...(process.env.PATH ?? "").split(delimiter),
    "/usr/sbin",
  ];
}

function find(name: string): string | undefined {
  return folders()
    .map((folder) => join(folder, name))
    .find((path) => {
      try {
        accessSync(path, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}

/** The programs of a cluster, and the package of each. */
const PACKAGES = {
  pg_rewind: "postgresql",
  patroni: "patroni",
  etcd: "etcd-server",
  haproxy: "haproxy",
  pgbouncer: "pgbouncer",
} as const;

/** The packages that a cluster lacks here. */
export const missingPackages = (): string[] =>
  Object.entries(PACKAGES).flatMap(([name, of]) => (find(name) === undefined ? [of] : []));

/** The path of a program; an error names its package. */
export function programOf(name: keyof typeof PACKAGES): string {
  const path = find(name);
  if (path === undefined) throw new Error(`${name} is not installed: apt-get install ${PACKAGES[name]}`);
  return path;
}
