import type { IconName } from "../../element/icon.tsx";
import { IconButton } from "../../element/icon-button.tsx";
import style from "./send-button.module.css";

interface SendButtonProps {
  readonly icon: IconName;
  readonly label: string;
  readonly disabled?: boolean;
  readonly onClick: () => void;
}

/** The main button of a composer. */
export function SendButton(props: SendButtonProps) {
  return <IconButton {...props} className={style.send} />;
}
