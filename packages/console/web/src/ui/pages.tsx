interface PagesProps {
  offset: number;
  size: number;
  total: number;
  go: (offset: string | undefined) => void;
}

interface TurnProps {
  to: "newer" | "older";
  words: string;
  /** There is no page to turn to, or none is known yet. */
  isAtEnd: boolean;
  go: () => void;
}

/** It keeps the focus where it does nothing: the next page may be there in a moment. */
const Turn = ({ to, words, isAtEnd, go }: TurnProps) => (
  <button type="button" data-turn={to} aria-disabled={isAtEnd} onClick={() => isAtEnd || go()}>
    {words}
  </button>
);

/** Turns the pages of a list that is newest first. */
export const Pages = ({ offset, size, total, go }: PagesProps) => (
  <nav class="pages" aria-label="Pages">
    <Turn
      to="newer"
      words="Newer"
      isAtEnd={offset === 0}
      go={() => go(offset > size ? String(offset - size) : undefined)}
    />
    <Turn to="older" words="Older" isAtEnd={offset + size >= total} go={() => go(String(offset + size))} />
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
    <Turn to="newer" words={words[0]} isAtEnd={isFirst} go={toFirst} />
    <Turn to="older" words={words[1]} isAtEnd={!hasMore} go={toNext} />
  </nav>
);
