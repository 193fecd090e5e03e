/** A line drawing in the colour of the text beside it, which says the same in words. */
export function Icon({ path, size = "1em" }: { path: string; size?: string }) {
  return (
    <svg className="icon" viewBox="0 0 24 24" width={size} height={size} aria-hidden="true">
      <path d={path} />
    </svg>
  );
}
