interface PagesProps {
  offset: number;
  size: number;
  total: number;
  go: (offset: string | undefined) => void;
}

/** Turns the pages of a list that is newest first. */
export const Pages = ({ offset, size, total, go }: PagesProps) => (
  <nav class="pages" aria-label="Pages">
    <button
      type="button"
      data-turn="newer"
      disabled={offset === 0}
      onClick={() => go(offset > size ? String(offset - size) : undefined)}
    >
      Newer
    </button>
    <button
      type="button"
      data-turn="older"
      disabled={offset + size >= total}
      onClick={() => go(String(offset + size))}
    >
      Older
    </button>
  </nav>
);

interface TurnsProps {
  /** The words for the first page and the next one. Default: those of a list that is newest first. */
  words?: readonly [first: string, next: string];
  isFirst: boolean;
  hasMore: boolean;
  toFirst: () => void;
  toNext: () => void;
}

/** Turns the pages of a list that is read page by page, where no page knows the one before it. */
export const Turns = ({ words = ["Newest", "Older"], isFirst, hasMore, toFirst, toNext }: TurnsProps) => (
  <nav class="pages" aria-label="Pages">
    <button type="button" data-turn="newer" disabled={isFirst} onClick={toFirst}>
      {words[0]}
    </button>
    <button type="button" data-turn="older" disabled={!hasMore} onClick={toNext}>
      {words[1]}
    </button>
  </nav>
);
