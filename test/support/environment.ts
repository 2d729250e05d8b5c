/** What a process that a test starts has of the environment: no configuration that the machine happens to hold. */
export const BARE: Readonly<Record<string, string>> = {
  PATH: process.env.PATH ?? "",
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? "",
  MANIFOLD_WARM_UP: "0",
};
