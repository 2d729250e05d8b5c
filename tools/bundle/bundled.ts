/** The packages in bundles: our own, and libraries of many modules. Others are CommonJS, or have native parts. */
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
