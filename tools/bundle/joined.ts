/** What becomes a part of bundles: our modules, and libraries of many. Others are of CommonJS or have native parts. */
export const JOINED = [
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
