import type { Confinement } from "./confinement.ts";

/** Written by programs whatever they do. */
const devices = ["/dev/null", "/dev/zero", "/dev/tty", "/dev/stdout", "/dev/stderr", "/dev/fd"];

/** Where programs and their settings are on macOS. */
const systemDirectories = [
  "/usr",
  "/bin",
  "/sbin",
  "/opt",
  "/etc",
  "/private/etc",
  "/private/var/db",
  "/private/var/select",
  "/var/db",
  "/System",
  "/Library",
  "/Applications",
  "/dev",
  "/nix",
];

/** The profile of `sandbox-exec` that holds a command to a confinement. Later rules win. */
export function seatbeltProfile(confinement: Confinement, temporaryDirectory: string): string {
  const { writes, reads, network, roots, repositories, readable, hidden } = confinement;
  const { fixed, absent, anchored } = confinement;
  const unwritten = [
    ...[...fixed, ...absent].map(subpath),
    ...anchored.map((path) => `(literal ${JSON.stringify(path)})`),
  ];
  const trees = [...roots, ...repositories, temporaryDirectory];
  const written = writes === "inside" ? trees : [temporaryDirectory];
  return [
    "(version 1)",
    "(allow default)",
    // Another process would do what this one cannot.
    "(deny appleevent-send)",
    '(deny mach-lookup (global-name-prefix "com.apple.securityd"))',
    '(deny mach-lookup (global-name "com.apple.SecurityServer"))',
    '(deny mach-lookup (global-name "com.apple.coreservices.launchservicesd"))',
    ...(network ? [] : ["(deny network*)"]),
    ...(writes === "everything"
      ? []
      : ["(deny file-write*)", allow("file-write*", [...devices, ...written])]),
    ...(unwritten.length === 0 ? [] : [`(deny file-write* ${unwritten.join(" ")})`]),
    ...(reads === "everything"
      ? []
      : [
          '(deny file-read-data (subpath "/"))',
          allow("file-read*", [...systemDirectories, ...readable, ...trees]),
          '(allow file-read-data (literal "/"))',
        ]),
    ...(hidden.length === 0
      ? []
      : [`(deny file* ${hidden.map(({ path }) => subpath(path)).join(" ")})`]),
  ].join("\n");
}

function allow(operation: string, paths: readonly string[]): string {
  return `(allow ${operation} ${paths.map(subpath).join(" ")})`;
}

function subpath(path: string): string {
  return `(subpath ${JSON.stringify(path)})`;
}
