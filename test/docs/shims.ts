import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./pages.ts";

/** Programs that no test may have, or may run: what they are given is written down, and they end well. */
const ABSENT = [
  "apt-get",
  "chown",
  "gpg",
  "helm",
  "kubectl",
  "patronictl",
  "pg_dump",
  "psql",
  "sha256sum",
  "systemctl",
  "tar",
];

/** What would serve is not begun: a page's server runs already. Everything else is the command itself. */
const manifold = `#!/usr/bin/env bash
case "\${1:-start}" in start | demo | simulate | --config) exit 0 ;; esac
exec manifold-desk "$@"
`;

const npm = `#!/usr/bin/env bash
set -euo pipefail
case "$1" in
  ci | install | prune | test) ;;
  run) node -e 'if (!require("${ROOT}/package.json").scripts[process.argv[1]]) throw new Error("no script " + process.argv[1])' "$2" ;;
  start)
    while [ $# -gt 0 ] && [ "$1" != -- ]; do shift; done
    exec manifold "\${@:2}" ;;
  *) exit 64 ;;
esac
`;

const npx = `#!/usr/bin/env bash
case "$1" in
  manifold | manifold-gateway) shift; exec manifold "$@" ;;
  node) cd "${ROOT}"; shift; exec "${process.execPath}" "$@" ;;
  vitest) cd "${ROOT}"; [ "$2" = run ] && [ -e "$3" ] ;;
  *) exit 64 ;;
esac
`;

const git = `#!/usr/bin/env bash
[ "$1" = clone ] && mkdir -p "$3/deploy/compose/secrets" && cp -r "${ROOT}/deploy" "$3/"
`;

/** What runs inside the image runs here; the files that are named have to be there. */
const docker = `#!/usr/bin/env bash
set -euo pipefail
case "$1 $2" in
  "compose -f" | "build -f") [ -e "${ROOT}/$3" ] ;;
  "push "* | "buildx build") exit 0 ;;
  *) exit 64 ;;
esac
while [ $# -gt 0 ] && [ "$1" != /app/apps/server/program/main.js ]; do shift; done
[ $# = 0 ] && exit 0
shift
exec manifold "$@"
`;

/** Calls of our own server are made, and have to succeed; others are written down. */
const curlOf = (real: string, origin: string): string => `#!/usr/bin/env bash
case "$*" in
  *"${origin}"*) exec "${real}" --silent --show-error --fail-with-body "$@" ;;
  *) printf 'curl %s\\n' "$*" ;;
esac
`;

/** A folder of programs that stand before those of the machine while a page's commands run; `desk` runs commands. */
export function makeShims(folder: string, origin: string, desk: string): string {
  const bin = join(folder, "bin");
  mkdirSync(bin);
  const real = execFileSync("sh", ["-c", "command -v curl"], { encoding: "utf8" }).trim();
  const scripts: Record<string, string> = {
    ...{ manifold, "manifold-desk": desk, npm, npx, git, docker, curl: curlOf(real, origin) },
  };
  for (const name of ABSENT)
    scripts[name] = `#!/usr/bin/env bash\ncat > /dev/null\nprintf '${name} %s\\n' "$*"\n`;
  for (const [name, script] of Object.entries(scripts)) {
    writeFileSync(join(bin, name), script);
    chmodSync(join(bin, name), 0o755);
  }
  return bin;
}
