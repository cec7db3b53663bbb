import { detach } from "@turnwire/base";
import { Menu, type MenuItem } from "../../element/menu.tsx";
import type { IconName } from "../../element/icon.tsx";
import { chooseTheme, useTheme, type Theme } from "../../element/theme/theme.ts";
import { showError } from "../../element/toast.ts";
import { chooseEnterAction, useEnterAction } from "../composer/enter-key.ts";
import { useFrame } from "../page/frame-context.ts";
import { hasPageKey } from "../login/page-key.ts";
import { toggleNotifications, useNotificationsOn } from "../attention/notification.ts";

const themes: readonly {
  readonly theme: Theme;
  readonly label: string;
  readonly icon: IconName;
}[] = [
  { theme: "system", label: "System theme", icon: "display" },
  { theme: "light", label: "Light theme", icon: "sun" },
  { theme: "dark", label: "Dark theme", icon: "moon" },
];

/** What a person sets for this browser. */
export function SettingsMenu() {
  const chosen = useTheme();
  const isNotifying = useNotificationsOn();
  const enter = useEnterAction();
  const { showShortcuts, showLogins, showPolicy } = useFrame();
  const items: MenuItem[] = [
    ...themes.map(({ theme, label, icon }) => ({
      label,
      icon,
      isChecked: theme === chosen,
      onSelect: () => chooseTheme(theme),
    })),
    {
      label: isNotifying ? "Turn notifications off" : "Notify me when an agent needs me",
      icon: "bell",
      onSelect: () => detach(toggleNotifications(), showError),
    },
    {
      label: enter === "send" ? "Let Enter start a new line" : "Let Enter send messages",
      icon: "keyboard",
      onSelect: () => chooseEnterAction(enter === "send" ? "enter" : "send"),
    },
    { label: "Policy", icon: "shield", onSelect: () => showPolicy() },
    { label: "Keyboard shortcuts", icon: "keyboard", onSelect: showShortcuts },
    ...(hasPageKey()
      ? [{ label: "Logged-in browsers", icon: "globe" as const, onSelect: showLogins }]
      : []),
  ];
  return <Menu label="Settings" icon="sliders" items={items} />;
}
