/** What stands at a place of a JSON value, by its JSON pointer. */
export interface Mark {
  tone: "good" | "warn" | "bad";
  text: string;
}
