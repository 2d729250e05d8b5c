import { parseObject } from "./json.ts";

/**
 * The JSON text of an object that arrives in pieces. Asking after each piece whether it is whole reads the text twice in
 * all.
 */
export class GrowingObject {
  /** All of it so far. */
  text = "";
  /** The pieces that were not looked at. Reading them in `text` would copy all of it each time. */
  #pieces: string[] = [];
  #depth = 0;
  #isQuoted = false;
  #isEscaped = false;
  /** `ended`: the brackets are balanced. `exceeded`: something follows them. */
  #state: "open" | "ended" | "exceeded" = "open";
  #isObject: boolean | undefined;

  add(piece: string): void {
    if (piece === "") return;
    this.text += piece;
    this.#pieces.push(piece);
  }

  isWhole(): boolean {
    for (const piece of this.#pieces) this.#scan(piece);
    this.#pieces = [];
    if (this.#state !== "ended") return false;
    this.#isObject ??= parseObject(this.text) !== undefined;
    return this.#isObject;
  }

  #scan(piece: string): void {
    for (const character of piece) {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (this.#isQuoted) {
        if (character === "\\") this.#isEscaped = true;
        else if (character === '"') this.#isQuoted = false;
      } else if (SPACE.includes(character)) continue;
      else if (this.#state !== "open") this.#state = "exceeded";
      else if (character === '"') this.#isQuoted = true;
      else if (character === "{" || character === "[") this.#depth += 1;
      else if ((character === "}" || character === "]") && --this.#depth === 0) this.#state = "ended";
    }
  }
}

const SPACE = " \t\n\r";
