import type { ButtonHTMLAttributes, Ref } from "react";
import { Icon, type IconName } from "./icon.tsx";
import style from "./icon-button.module.css";

export interface IconButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly icon: IconName;
  readonly label: string;
  readonly ref?: Ref<HTMLButtonElement>;
}

/** A square button with an icon; the label is read out and shown as a tooltip. */
export function IconButton({ icon, label, className, ...rest }: IconButtonProps) {
  const names = [style.button, className].filter(Boolean).join(" ");
  return (
    <button {...rest} type="button" className={names} aria-label={label} title={label}>
      <Icon name={icon} />
    </button>
  );
}
