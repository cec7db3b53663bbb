import { isInside } from "../process/path-inside.ts";
import type { Confinement } from "./confinement.ts";

/** Where programs and their settings are on Linux. */
const systemDirectories = [
  "/usr",
  "/bin",
  "/sbin",
  "/lib",
  "/lib32",
  "/lib64",
  "/libx32",
  "/etc",
  "/opt",
  "/nix",
  "/snap",
] as const;

/** Private to the command, and gone with it. */
const temporaryDirectories = ["/tmp", "/var/tmp"] as const;

/** The arguments of bubblewrap that hold a command to a confinement; the command itself comes after them. */
export function bubblewrapArguments(confinement: Confinement, cwd: string): string[] {
  const { network, reads } = confinement;
  return [
    "--unshare-user",
    "--unshare-pid",
    "--unshare-ipc",
    "--unshare-uts",
    "--unshare-cgroup-try",
    ...(network ? [] : ["--unshare-net"]),
    "--cap-drop",
    "ALL",
    "--die-with-parent",
    "--new-session",
    ...(reads === "everything" ? wholeMachine(confinement) : programsOnly(confinement)),
    ...rootMounts(confinement),
    ...(reads === "everything" ? [] : ["--remount-ro", "/"]),
    "--setenv",
    "TMPDIR",
    "/tmp",
    "--chdir",
    cwd,
  ];
}

function wholeMachine({ writes, hidden, network, ...confinement }: Confinement): string[] {
  const roots = writableTrees(confinement);
  return [
    writes === "everything" ? "--bind" : "--ro-bind",
    "/",
    "/",
    ...systemMounts,
    // Sockets of services, which a read-only mount does not close.
    "--tmpfs",
    "/run",
    ...(network ? resolverMounts : []),
    ...hiddenMounts(
      hidden.filter(({ path }) => !isBelowOne(path, roots)),
      roots,
    ),
  ];
}

function programsOnly({
  hidden,
  network,
  readable,
  emptied,
  ...confinement
}: Confinement): string[] {
  const roots = writableTrees(confinement);
  const shown = [...systemDirectories, ...readable];
  return [
    ...systemDirectories.flatMap((path) => ["--ro-bind-try", path, path]),
    ...systemMounts,
    ...(network ? resolverMounts : []),
    ...emptied.flatMap((path) => ["--tmpfs", path]),
    ...outermostFirst(readable).flatMap((path) => ["--ro-bind", path, path]),
    ...hiddenMounts(
      hidden.filter(({ path }) => isBelowOne(path, shown) && !isBelowOne(path, roots)),
      roots,
    ),
  ];
}

const systemMounts: readonly string[] = [
  "--proc",
  "/proc",
  "--dev",
  "/dev",
  ...temporaryDirectories.flatMap((path) => ["--tmpfs", path]),
];

/** `/etc/resolv.conf` is often a link to one of these. */
const resolverMounts: readonly string[] = [
  "/run/systemd/resolve",
  "/run/resolvconf",
  "/run/NetworkManager",
].flatMap((path) => ["--ro-bind-try", path, path]);

/** The directories in which the agent works, over whatever was mounted before, with what stays fixed or hidden in them. */
function rootMounts({
  writes,
  hidden,
  fixed,
  anchored,
  absent,
  ...confinement
}: Confinement): string[] {
  const bind = writes === "nothing" ? "--ro-bind" : "--bind";
  const trees = writableTrees(confinement);
  const kept = [
    ...outermostFirst(anchored).flatMap((path) => ["--bind", path, path]),
    ...outermostFirst(fixed).flatMap((path) => ["--ro-bind", path, path]),
    ...absent.flatMap((path) => ["--perms", "0555", "--tmpfs", path, "--remount-ro", path]),
  ];
  return [
    ...outermostFirst(trees).flatMap((path) => [bind, path, path]),
    ...(writes === "nothing" ? [] : kept),
    ...hiddenMounts(
      hidden.filter(({ path }) => isBelowOne(path, trees)),
      [],
    ),
  ];
}

function writableTrees({
  roots,
  repositories,
}: Pick<Confinement, "roots" | "repositories">): string[] {
  return [...roots, ...repositories];
}

/** A directory that has a root below it can be passed through, but not listed. */
function hiddenMounts(hidden: Confinement["hidden"], roots: readonly string[]): string[] {
  return hidden.flatMap(({ path, isDirectory }) => {
    // A device that a mount without devices cannot open.
    if (!isDirectory) return ["--ro-bind", "/dev/null", path];
    const isPassed = roots.some((root) => isInside(root, path));
    return ["--perms", isPassed ? "0111" : "0000", "--tmpfs", path];
  });
}

function isBelowOne(path: string, directories: readonly string[]): boolean {
  return directories.some((directory) => isInside(path, directory));
}

/** Mounts that come later cover earlier ones. */
function outermostFirst(paths: readonly string[]): string[] {
  return [...new Set(paths)].toSorted((left, right) => left.length - right.length);
}
