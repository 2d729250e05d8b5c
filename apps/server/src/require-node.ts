/** The version in the package's `engines`. */
export const LEAST_NODE = "22.19";

/** The message for a Node that cannot run the server; undefined for one that can. */
export function complaintAbout(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [leastMajor = 0, leastMinor = 0] = LEAST_NODE.split(".").map(Number);
  if (major > leastMajor || (major === leastMajor && minor >= leastMinor)) return undefined;
  return `Manifold needs Node ${LEAST_NODE} or newer; this is Node ${version}.`;
}

// The first import of the command: on an older Node the SQLite addon ends the process with a segmentation fault.
const complaint = complaintAbout(process.versions.node);
if (complaint !== undefined) {
  process.stderr.write(`${complaint}\n`);
  process.exit(1);
}
