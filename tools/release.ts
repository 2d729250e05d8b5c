// Gives what is unreleased in the changelog the version that the packages have now, after `changeset version`.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { released } from "./pack/changelog.ts";
import { published, root } from "./pack/workspaces.ts";

const file = join(root, "CHANGELOG.md");
const version = published[0]?.manifest.version ?? "";
writeFileSync(file, released(readFileSync(file, "utf8"), version, new Date()));
