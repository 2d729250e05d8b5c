interface ScoreProps {
  of: number;
  label: string;
  /** A high score is a bad one. */
  isBad?: boolean;
}

/** A score as a bar and as a number. Some models score beyond 1, where a bar says nothing. */
export const Score = ({ of: score, label, isBad = false }: ScoreProps) => (
  <span class="score">
    {score >= 0 && score <= 1 && (
      <meter aria-label={label} min={0} max={1} value={score} {...(isBad && { high: 0.5, optimum: 0 })} />
    )}
    <span class="number">{score.toFixed(4)}</span>
  </span>
);
