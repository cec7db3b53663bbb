import { Icon } from "./icon.tsx";
import style from "./chip-select.module.css";

interface ChipSelectProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly onChange: (value: string) => void;
}

/** A compact select; its list is the native one. */
export function ChipSelect({ label, value, options, onChange }: ChipSelectProps) {
  return (
    <span className={`inline-row soft ${style.chip}`}>
      <select
        aria-label={label}
        title={label}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      <Icon name="chevron_down" size={12} />
    </span>
  );
}
