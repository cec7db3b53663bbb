import type { ButtonHTMLAttributes } from "react";
import style from "./button.module.css";

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** strong: the main action; plain: everything else; danger: hard to undo. */
  readonly look?: "strong" | "plain" | "danger";
}

export function Button({ look = "plain", className, type = "button", ...rest }: ButtonProps) {
  const names = [style.button, style[look], className].filter(Boolean).join(" ");
  return <button {...rest} type={type} className={names} />;
}
