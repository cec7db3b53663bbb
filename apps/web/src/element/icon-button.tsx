import type { ButtonHTMLAttributes, Ref } from "react";
import { Icon, type IconName } from "./icon.tsx";
import style from "./icon-button.module.css";

export interface IconButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly icon: IconName;
  readonly label: string;
  /** Within a text or a row of facts. */
  readonly isSmall?: boolean;
  readonly ref?: Ref<HTMLButtonElement>;
}

/** A square button with an icon; the label is read out and shown as a tooltip. */
export function IconButton(props: IconButtonProps) {
  const { icon, label, isSmall = false, className, ...rest } = props;
  const look = isSmall ? "quiet square faint" : style.button;
  const names = [look, className].filter(Boolean).join(" ");
  return (
    <button {...rest} type="button" className={names} aria-label={label} title={label}>
      <Icon name={icon} size={isSmall ? 15 : 18} />
    </button>
  );
}
