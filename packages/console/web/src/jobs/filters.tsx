import { Choice } from "../ui/filters.tsx";
import { FILTERS } from "./words.ts";

interface JobFiltersProps {
  params: Readonly<Record<string, string>>;
  set: (change: Record<string, string | undefined>) => void;
  isFirst?: boolean;
}

/** The choices of every list of jobs. */
export const JobFilters = ({ params, set, isFirst = false }: JobFiltersProps) => (
  <>
    {Object.entries(FILTERS).map(([name, { title, of }], at) => (
      <Choice
        key={name}
        name={title}
        value={params[name]}
        of={[["", "all"], ...Object.entries(of)]}
        onChange={(value) => set({ [name]: value })}
        isFirst={isFirst && at === 0}
      />
    ))}
  </>
);
