import { duration } from "../format.ts";
import { Legend } from "../ui/chart.tsx";
import type { Detail } from "./detail.ts";
import { stagesOf } from "./stages.ts";

/** Where the time of a request went, as one bar. */
export function StageBar({ of: one }: { of: Detail }) {
  const stages = stagesOf(one);
  const whole = stages.reduce((sum, { ms }) => sum + ms, 0);
  if (whole === 0) return null;
  let began = 0;
  return (
    <figure class="stages">
      <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
        {stages.map(({ name, ms, tone }) => {
          const x = (began / whole) * 100;
          began += ms;
          return <rect key={name} class={tone} x={x} width={(ms / whole) * 100} height="10" />;
        })}
      </svg>
      <figcaption>
        <Legend of={stages.map(({ name, ms, tone }) => ({ name, tone, text: duration(ms) }))} />
      </figcaption>
    </figure>
  );
}
