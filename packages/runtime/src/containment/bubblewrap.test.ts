import { expect, test } from "vitest";
import { bubblewrapArguments } from "./bubblewrap.ts";
import type { Confinement } from "./confinement.ts";
import { seatbeltProfile } from "./seatbelt.ts";

const planner: Confinement = {
  writes: "nothing",
  reads: "inside",
  network: false,
  roots: ["/home/ann/shop"],
  repositories: [],
  readable: ["/home/ann/.nvm/versions/node/v20"],
  emptied: ["/home/ann"],
  fixed: ["/home/ann/shop/.git/config"],
  anchored: ["/home/ann/shop/.git"],
  absent: ["/home/ann/shop/.git/hooks"],
  hidden: [
    { path: "/etc/shadow", isDirectory: false },
    { path: "/home/ann/.ssh", isDirectory: true },
    { path: "/home/ann/shop/.env", isDirectory: false },
  ],
};

function mounts(confinement: Confinement): string {
  return bubblewrapArguments(confinement, "/home/ann/shop").join(" ").replaceAll(" --", "\n--");
}

test("a planner's commands get programs and the project to read, without a network", () => {
  expect(mounts(planner)).toMatchInlineSnapshot(`
    "--unshare-user
    --unshare-pid
    --unshare-ipc
    --unshare-uts
    --unshare-cgroup-try
    --unshare-net
    --cap-drop ALL
    --die-with-parent
    --new-session
    --ro-bind-try /usr /usr
    --ro-bind-try /bin /bin
    --ro-bind-try /sbin /sbin
    --ro-bind-try /lib /lib
    --ro-bind-try /lib32 /lib32
    --ro-bind-try /lib64 /lib64
    --ro-bind-try /libx32 /libx32
    --ro-bind-try /etc /etc
    --ro-bind-try /opt /opt
    --ro-bind-try /nix /nix
    --ro-bind-try /snap /snap
    --proc /proc
    --dev /dev
    --tmpfs /tmp
    --tmpfs /var/tmp
    --tmpfs /home/ann
    --ro-bind /home/ann/.nvm/versions/node/v20 /home/ann/.nvm/versions/node/v20
    --ro-bind /dev/null /etc/shadow
    --ro-bind /home/ann/shop /home/ann/shop
    --ro-bind /dev/null /home/ann/shop/.env
    --remount-ro /
    --setenv TMPDIR /tmp
    --chdir /home/ann/shop"
  `);
});

test("an implementer's commands write in the project, but not what steers git", () => {
  const written = mounts({ ...planner, writes: "inside", network: true });
  expect(written).toContain("--bind /home/ann/shop /home/ann/shop");
  expect(written).toContain("--ro-bind /home/ann/shop/.git/config /home/ann/shop/.git/config");
  expect(written).toContain("--tmpfs /home/ann/shop/.git/hooks");
  expect(written).not.toContain("--unshare-net");
});

test("a root below a hidden directory can be reached, its neighbours cannot be listed", () => {
  const data = { path: "/data", isDirectory: true };
  const roots = ["/data/worktrees/one"];
  const words = mounts({ ...planner, reads: "everything", roots, hidden: [data] });
  expect(words).toContain("--perms 0111\n--tmpfs /data");
  expect(words.indexOf("--tmpfs /data")).toBeLessThan(words.indexOf("--ro-bind /data/worktrees"));
});

test("the profile for macOS has the same bounds, the strictest last", () => {
  expect(seatbeltProfile({ ...planner, writes: "inside" }, "/private/tmp/own"))
    .toMatchInlineSnapshot(`
    "(version 1)
    (allow default)
    (deny appleevent-send)
    (deny mach-lookup (global-name-prefix "com.apple.securityd"))
    (deny mach-lookup (global-name "com.apple.SecurityServer"))
    (deny mach-lookup (global-name "com.apple.coreservices.launchservicesd"))
    (deny network*)
    (deny file-write*)
    (allow file-write* (subpath "/dev/null") (subpath "/dev/zero") (subpath "/dev/tty") (subpath "/dev/stdout") (subpath "/dev/stderr") (subpath "/dev/fd") (subpath "/home/ann/shop") (subpath "/private/tmp/own"))
    (deny file-write* (subpath "/home/ann/shop/.git/config") (subpath "/home/ann/shop/.git/hooks") (literal "/home/ann/shop/.git"))
    (deny file-read-data (subpath "/"))
    (allow file-read* (subpath "/usr") (subpath "/bin") (subpath "/sbin") (subpath "/opt") (subpath "/etc") (subpath "/private/etc") (subpath "/private/var/db") (subpath "/private/var/select") (subpath "/var/db") (subpath "/System") (subpath "/Library") (subpath "/Applications") (subpath "/dev") (subpath "/nix") (subpath "/home/ann/.nvm/versions/node/v20") (subpath "/home/ann/shop") (subpath "/private/tmp/own"))
    (allow file-read-data (literal "/"))
    (deny file* (subpath "/etc/shadow") (subpath "/home/ann/.ssh") (subpath "/home/ann/shop/.env"))"
  `);
});
