type Row = [what: string, given: object, says: string | RegExp];
/** What a real server of one protocol refuses: each row changes the base in one way and is answered in these words. */
export interface Table {
  path: string;
  base: object;
  rows: Row[];
}

export const q = { role: "user", content: "q" };
export const long = "x".repeat(80);
export const open = { type: "object", properties: { a: { type: "string" } }, required: ["a"] };
