import type { TroubleTable } from "./trouble.ts";

/** On this wire a 403 is about the content, and the codes repeat the status. */
export const troubles: TroubleTable = { codes: [], statuses: { 403: "moderated" } };
