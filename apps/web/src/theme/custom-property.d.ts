export {};

declare module "react" {
  interface CSSProperties {
    /** Custom properties carry what a person chose into stylesheets. */
    [name: `--${string}`]: string | number | undefined;
  }
}
