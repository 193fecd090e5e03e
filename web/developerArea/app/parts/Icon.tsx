/** A line drawing in the text colour. Hidden from screen readers: the text beside it has the same meaning. */
export function Icon({ path, size = "1em" }: { path: string; size?: string }) {
  return (
    <svg className="icon" viewBox="0 0 24 24" width={size} height={size} aria-hidden="true">
      <path d={path} />
    </svg>
  );
}
