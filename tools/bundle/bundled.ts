/** The packages that are made part of bundles: our own, and libraries of many modules. The others are CommonJS or have native parts. */
export const BUNDLED = [
  /^@manifold-gateway\/(?!console)/,
  "h3",
  "jose",
  "kysely",
  "ky",
  "rou3",
  "srvx",
  "ts-pattern",
  "zod",
];
