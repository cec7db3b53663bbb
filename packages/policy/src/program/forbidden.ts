import type { ActionKind } from "../action.ts";
import { literalText } from "../shell/shell-word.ts";
import { found, type Program } from "./call.ts";

/** Programs whose every use is of one kind. */
const kinds: readonly (readonly [ActionKind, string, string])[] = [
  [
    "privilege",
    "sudo doas su pkexec runuser sg newgrp setpriv gosu chroot unshare nsenter run0",
    "it becomes another user",
  ],
  [
    "process",
    "kill pkill killall killall5 skill snice shutdown reboot halt poweroff init telinit systemctl service launchctl renice crontab at batch rtcwake kexec",
    "it ends or controls processes, or the machine",
  ],
  [
    "permissions",
    "chmod chown chgrp chattr setfacl setcap install xattr",
    "it changes the mode or the owner of files",
  ],
  [
    "process",
    "dd mkfs mke2fs fdisk parted wipefs shred blkdiscard mkswap swapoff swapon losetup mount umount",
    "it can destroy what is on a disk",
  ],
  [
    "opaque",
    "ldd nm size readelf zipinfo fd fdfind flock busybox toybox chrt taskset ionice unbuffer caffeinate unzip less more vim vi nvim ex view vimdiff emacs nano ed pico joe micro man info gdb lldb strace ltrace script expect screen tmux socat ncat dc bc parallel entr xterm rlwrap ssh-agent patch rsync zip 7z cpio pax ar split csplit m4 gcc cc g++ clang tclsh perl ruby php lua Rscript osascript open xdg-open",
    "it can run or write anything",
  ],
];

/** Programs that talk to other machines in ways of their own. */
const remote =
  "wget ssh scp sftp ftp telnet nc netcat ping dig nslookup host traceroute whois openssl gh glab aws gcloud az kubectl helm heroku docker podman nerdctl docker-compose vercel netlify wrangler flyctl rclone";

function always(kind: ActionKind, reason: string): Program {
  return (call) => {
    if (
      call.args.length === 1 &&
      /^--version$/.test(literalText(call.args[0]) ?? "") &&
      kind === "opaque"
    ) {
      found(call, "inspect", "prints a version");
    } else found(call, kind, reason);
    return undefined;
  };
}

const network: Program = (call) => {
  call.walk.report({ type: "network", host: undefined, subject: call.subject });
  return undefined;
};

export const forbiddenPrograms: ReadonlyMap<string, Program> = new Map<string, Program>([
  ...kinds.flatMap(([kind, names, reason]) => {
    const program = always(kind, reason);
    return names.split(" ").map((name): [string, Program] => [name, program]);
  }),
  ...remote.split(" ").map((name): [string, Program] => [name, network]),
]);
