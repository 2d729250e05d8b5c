/** The icons, drawn on a grid of 16 with a line of 1.5. `M` moves, small letters are relative. */
const PATHS = {
  home: "M2.5 7 8 2.5 13.5 7v6.5h-4V10h-3v3.5h-4z",
  play: "M2.5 3h11v10h-11zM6.5 5.8v4.4L10 8z",
  media: "M2.5 3h11v10h-11zM2.5 11l3.2-3 2.6 2.4 2-1.8 3.2 2.8M10.6 5.9h.01",
  explain: "M8 2.5a4 4 0 0 1 2.4 7.2c-.5.4-.7.9-.7 1.5H6.3c0-.6-.2-1.1-.7-1.5A4 4 0 0 1 8 2.5zM6.6 13.5h2.8",
  requests: "M2.5 4h11M2.5 8h11M2.5 12h7",
  jobs: "M8 2.5a5.5 5.5 0 1 1 0 11 5.5 5.5 0 0 1 0-11zM8 5v3.2l2.1 1.3",
  batches: "M5 2.5h8.5V11M2.5 5.5H11v8H2.5zM4.8 8.3h3.9M4.8 10.7h3.9",
  assets: "M8 8a2.4 2.4 0 1 0 0-4.8A2.4 2.4 0 0 0 8 8zM3 13.2c.5-2.2 2.5-3.3 5-3.3s4.5 1.1 5 3.3",
  usage: "M2.5 2.5v11h11M5.5 11V8M8.5 11V4.5M11.5 11V6.5",
  keys: "M5.5 13.5a3 3 0 1 1 0-6 3 3 0 0 1 0 6zM7.7 8.3 13 3M10.5 5.5l2 2",
  balance: "M2.5 4.5h10v9h-10zM2.5 4.5 10 2.5v2M10 9h.01",
  models: "M8 2.5 13.5 5.5v5L8 13.5 2.5 10.5v-5zM2.5 5.5 8 8.5l5.5-3M8 8.5v5",
  voices: "M8 2.5a2 2 0 0 1 2 2v3a2 2 0 0 1-4 0v-3a2 2 0 0 1 2-2zM3.7 7.5a4.3 4.3 0 0 0 8.6 0M8 11.8v1.7",
  api: "M5.5 4 2 8l3.5 4M10.5 4 14 8l-3.5 4",
  catalog: "M2.5 2.5h5.2l5.8 5.8-5.2 5.2-5.8-5.8zM5.5 5.5h.01",
  live: "M1.5 8h3l2-5 3 10 2-5h3",
  providers: "M2.5 2.8h11v4h-11zM2.5 9.2h11v4h-11zM5 4.8h.01M5 11.2h.01",
  routing: "M3 12.5h2.5l5-9H13M3 3.5h2.5l1.5 2.7M9 9.8l1.5 2.7H13",
  accounts:
    "M6 7.5a2.3 2.3 0 1 0 0-4.6 2.3 2.3 0 0 0 0 4.6zM1.8 13c.4-2.2 2-3.3 4.2-3.3s3.8 1.1 4.2 3.3M10.5 3.2a2.3 2.3 0 0 1 0 4.2M12 10c1.2.5 2 1.5 2.2 3",
  books:
    "M8 4.5C6.5 3.3 4.5 3 2.5 3v9.5c2 0 4 .3 5.5 1.5 1.5-1.2 3.5-1.5 5.5-1.5V3c-2 0-4 .3-5.5 1.5zM8 4.5V14",
  config: "M2.5 4.5h6M12 4.5h1.5M10 3v3M2.5 11.5H4M7.5 11.5h6M5.8 10v3",
  audit: "M4 2.5h8v11H4zM6.2 5.5h3.6M6.2 8h3.6M6.2 10.5h2",
  search: "M7 2.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9zM10.3 10.3l3.2 3.2",
  more: "M3.5 8h.01M8 8h.01M12.5 8h.01",
  check: "m3 8.5 3.2 3L13 4.5",
  down: "m4.5 6.5 3.5 3.5 3.5-3.5",
  left: "M9.5 4.5 6 8l3.5 3.5",
  right: "M6.5 4.5 10 8l-3.5 3.5",
  close: "m4 4 8 8M12 4l-8 8",
  plus: "M8 3v10M3 8h10",
  copy: "M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3",
  download: "M8 2.5V10M4.8 7.2 8 10.3l3.2-3.1M2.5 13.5h11",
  refresh: "M13 8a5 5 0 1 1-1.5-3.6L13 6M13 2.8V6H9.8",
  warning: "M8 2.8 14 13H2zM8 6.5v3M8 11.3h.01",
  outside: "M6.5 3.5h-4v10h10v-4M9 2.5h4.5V7M13.3 2.7 7.5 8.5",
} as const;

export type IconName = keyof typeof PATHS;

/** A picture beside a word; where it stands alone, what holds it has the word as its label. */
export const Icon = ({ name }: { name: IconName }) => (
  <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
    <path d={PATHS[name]} />
  </svg>
);
