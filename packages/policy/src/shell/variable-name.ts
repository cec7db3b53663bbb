/** Upper-case variables that programs may be given: they choose output, not what is run. */
const harmless = new Set(
  (
    "FOO BAR BAZ CI NODE_ENV DEBUG VERBOSE QUIET FORCE_COLOR NO_COLOR CLICOLOR CLICOLOR_FORCE COLORTERM TERM COLUMNS LINES " +
    "LANG LANGUAGE LC_ALL LC_CTYPE LC_COLLATE LC_MESSAGES LC_NUMERIC LC_TIME TZ PORT HOST LOG_LEVEL RUST_LOG " +
    "RUST_BACKTRACE PYTHONUNBUFFERED PYTHONDONTWRITEBYTECODE PYTHONIOENCODING PYTHONHASHSEED GOOS GOARCH CGO_ENABLED " +
    "UPDATE_SNAPSHOTS TEST_TIMEOUT RAILS_ENV RACK_ENV APP_ENV DJANGO_DEBUG COVERAGE GIT_TERMINAL_PROMPT " +
    "GIT_OPTIONAL_LOCKS TURNWIRE_SOAK BROWSERSLIST_IGNORE_OLD_DATA ESLINT_USE_FLAT_CONFIG"
  ).split(" "),
);

/** Variables of the shell, of loaders, of programs that run something: never set in passing. */
const sensitive =
  /^(?:PATH|IFS|ENV|HOME|PWD|OLDPWD|SHELL|SHELLOPTS|BASHOPTS|BASH.*|PS[0-9]|PROMPT.*|CDPATH|GLOBIGNORE|GLOBSORT|EXECIGNORE|FIGNORE|HIST.*|FUNC.*|PIPESTATUS|SHLVL|POSIXLY_CORRECT|TMPDIR|TMP|TEMP|MAIL.*|OPT.*|RANDOM|SRANDOM|SECONDS|EPOCH.*|LINENO|UID|EUID|PPID|GROUPS|DIRSTACK|REPLY|MAPFILE|COMP_.*|COMPREPLY|COPROC|READLINE.*|INPUTRC|TIMEFORMAT|TMOUT|INSIDE_EMACS|CHILD_MAX|LD_.*|DYLD_.*|GCONV_PATH|LOCPATH|NLSPATH|MALLOC.*|GLIBC.*|RESOLV.*|HOSTALIASES|NODE.*|NPM.*|PNPM.*|YARN.*|BUN.*|DENO.*|TS_NODE.*|PYTHON.*|PIP.*|VIRTUAL_ENV|CONDA.*|UV_.*|PERL.*|RUBY.*|GEM.*|BUNDLE.*|RAKE.*|JAVA.*|JDK.*|_JAVA.*|CLASSPATH|MAVEN.*|GRADLE.*|LUA.*|PHP.*|R_.*|JULIA.*|ERL.*|ELIXIR.*|GHC.*|GO[A-Z].*|RUST.*|CARGO.*|CC|CXX|CPP|LD|AR|AS|CFLAGS|CXXFLAGS|CPPFLAGS|LDFLAGS|MAKE.*|GNUMAKE.*|CMAKE.*|GIT.*|SVN.*|HG.*|.*PAGER.*|.*EDITOR.*|VISUAL|BROWSER|LESS.*|MORE|MAN.*|.*PROXY|SSH.*|SCP.*|RSYNC.*|GPG.*|AWS.*|AZURE.*|GOOGLE.*|KUBE.*|DOCKER.*|PODMAN.*|TERMINFO.*|TEXTDOMAIN.*|TERMCAP|XDG.*|DISPLAY|WAYLAND.*|DBUS.*|SUDO.*|ZDOTDIR|ZSH.*|FPATH|MODULE_PATH|FZF.*|RIPGREP.*|GREP.*|TAR_.*|TAPE|GZIP|BZIP.*|XZ_.*|ZSTD.*|ZIP.*|UNZIP.*|CURL.*|WGET.*|OPENSSL.*|SSL.*|TURNWIRE.*|CLAUDE.*|CODEX.*|ANTHROPIC.*|OPENAI.*|PARALLEL.*|WATCH.*|AWK.*|GAWK.*|POSIXLY.*|LOGNAME|USER|HOSTNAME|FCEDIT|QUOTING_STYLE|TIME_STYLE|LS_COLORS|_)$/;

const sensitiveInAnyCase =
  /^(?:npm_.*|pnpm_.*|.*_proxy|histchars|auto_resume|nodedir|yarn_.*|bun_.*|pip_.*|uv_.*|cargo_.*)$/i;

export function isVariableName(name: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name);
}

/** Whether a variable of the script itself may have this name. */
export function mayAssign(name: string): boolean {
  if (!isVariableName(name)) return false;
  return harmless.has(name) || !(sensitive.test(name) || sensitiveInAnyCase.test(name));
}

/** Whether a program may be given this variable. */
export function mayExport(name: string): boolean {
  if (harmless.has(name)) return true;
  return /^(?:TEST|VITE|NEXT_PUBLIC|REACT_APP|MY)_[A-Z0-9_]+$/.test(name);
}

/** Whether its value may be a secret. */
export function isSecretName(name: string): boolean {
  return /(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL|AUTH|COOKIE|DSN|DATABASE_URL)/i.test(
    name,
  );
}
