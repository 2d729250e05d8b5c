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
