/** The sign of the app. */
export function Mark({ size = 24 }: { readonly size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 64 64" fill="none" aria-hidden="true">
      <rect width="64" height="64" rx="16" fill="var(--accent)" />
      <g stroke="var(--on-accent)" strokeWidth="5.5" strokeLinecap="round">
        <path d="M14 23h19a9 9 0 0 1 9 9 9 9 0 0 0 8 9" />
        <path d="M14 41h9a9 9 0 0 0 9-9" strokeOpacity=".55" />
      </g>
    </svg>
  );
}
