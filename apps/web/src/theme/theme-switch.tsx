import { IconButton } from "../element/icon-button.tsx";
import type { IconName } from "../icon/icon.tsx";
import { chooseTheme, useTheme, type Theme } from "./theme.ts";

const next: Readonly<Record<Theme, Theme>> = { system: "light", light: "dark", dark: "system" };
const icons: Readonly<Record<Theme, IconName>> = {
  system: "display",
  light: "sun",
  dark: "moon",
};

/** Goes through system, light and dark. */
export function ThemeSwitch() {
  const theme = useTheme();
  return (
    <IconButton
      icon={icons[theme]}
      label={`Theme: ${theme}. Change to ${next[theme]}`}
      onClick={() => chooseTheme(next[theme])}
    />
  );
}
