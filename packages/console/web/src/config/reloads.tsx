import type { Answer } from "../api/client.ts";
import { Empty, When } from "../ui/parts.tsx";

type Reload = Answer<"/api/admin/config/reloads">["reloads"][number];

const TITLES = {
  signal: "Configuration read again (SIGHUP)",
  catalog: "Stored models changed",
} as const;

/** What came of the last reloads, with the findings of each. */
export const Reloads = ({ of: reloads }: { of: readonly Reload[] }) =>
  reloads.length === 0 ? (
    <Empty>
      <p>No reload since this process started.</p>
      <p class="faint">
        Send <code>SIGHUP</code> to the server to read the configuration again.
      </p>
    </Empty>
  ) : (
    reloads.map((reload) => <OneReload key={reload.by} of={reload} />)
  );

const OneReload = ({ of: { by, at, isApplied, changed, findings } }: { of: Reload }) => (
  <section class={isApplied ? "" : "failed"} aria-label={TITLES[by]}>
    <h2>{TITLES[by]}</h2>
    <p>
      <When at={at} />{" "}
      {isApplied ? (
        <span class="good">applied</span>
      ) : (
        <span class="bad">refused; the previous configuration stays in force</span>
      )}
    </p>
    {changed.length > 0 && (
      <p>
        Changed models: <code>{changed.join(", ")}</code>
      </p>
    )}
    {findings.length > 0 && (
      <ul>
        {findings.map((finding) => (
          <li key={finding}>
            <code>{finding}</code>
          </li>
        ))}
      </ul>
    )}
  </section>
);
