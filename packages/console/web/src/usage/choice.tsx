interface ChoiceProps {
  name: string;
  value: string;
  of: readonly (readonly [value: string, text: string])[];
  onChange: (value: string) => void;
  /** The one that the key for filters goes to. */
  isFirst?: boolean;
}

export const Choice = ({ name, value, of, onChange, isFirst = false }: ChoiceProps) => (
  <label>
    {name}
    <select
      {...(isFirst && { "data-filter": true })}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    >
      {of.map(([one, text]) => (
        <option key={one} value={one}>
          {text}
        </option>
      ))}
    </select>
  </label>
);
