/** The logo of the app. */
export function Mark({ size = 24 }: { readonly size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 64 64" fill="none" aria-hidden="true">
      <rect width="64" height="64" rx="16" fill="var(--accent)" />
      <path
        d="M17 21h19a11 11 0 0 1 0 22h-7"
        stroke="var(--on-accent)"
        strokeWidth="6.5"
        strokeLinecap="round"
      />
      <circle cx="17.5" cy="43" r="4.5" fill="var(--on-accent)" />
    </svg>
  );
}
