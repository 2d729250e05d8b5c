type Labels<L extends string> = Readonly<Record<L, string | number>>;

/** A number under the values of its labels. */
interface Cell<L extends string> {
  readonly labels: Labels<L>;
  value: number;
}

/** The cells under the values of the labels so far. */
interface Branch<L extends string> {
  readonly under: Map<string | number, Branch<L>>;
  cell?: Cell<L>;
}

const branch = <L extends string>(): Branch<L> => ({ under: new Map() });

/**
 * Numbers by labels, which a counter or gauge of a registry receives when it is read. Requests change them here,
 * because a change of the registry's metric takes several times as long: it converts the labels to text each time.
 */
export class Tally<L extends string> {
  readonly #names: readonly L[];
  readonly #root = branch<L>();
  readonly #cells: Cell<L>[] = [];

  constructor(names: readonly L[]) {
    this.#names = names;
  }

  inc(labels: Labels<L>, by = 1): void {
    this.#cellOf(labels).value += by;
  }

  dec(labels: Labels<L>): void {
    this.inc(labels, -1);
  }

  /** Replaces the samples of a metric. */
  fill(metric: { reset(): void; inc(labels: Labels<L>, by: number): void }): void {
    metric.reset();
    for (const { labels, value } of this.#cells) metric.inc(labels, value);
  }

  #cellOf(labels: Labels<L>): Cell<L> {
    let at = this.#root;
    for (const name of this.#names) {
      let next = at.under.get(labels[name]);
      if (!next) {
        next = branch();
        at.under.set(labels[name], next);
      }
      at = next;
    }
    if (at.cell) return at.cell;
    const cell = { labels, value: 0 };
    at.cell = cell;
    this.#cells.push(cell);
    return cell;
  }
}
