/** The height of the picture, in the units of its own. */
const HEIGHT = 20;

/** Values over time as bars without an axis; what they add up to stands beside it. */
export function Sparkline({ of: values }: { of: readonly number[] }) {
  const most = Math.max(...values, 0);
  return (
    <svg
      class="sparkline"
      viewBox={`0 0 ${values.length * 3} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {values.map((value, at) => {
        const height = most > 0 ? (value / most) * HEIGHT : 0;
        return <rect key={at} x={at * 3} y={HEIGHT - height} width="2" height={height} />;
      })}
    </svg>
  );
}
