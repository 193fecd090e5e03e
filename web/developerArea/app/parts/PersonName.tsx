import { Fragment } from "react";

/** A person's name, mostly an e-mail address. A line breaks only after @ and dots, unless a part is too long for a line. */
export function PersonName({ name }: { name: string }) {
  return (
    <span className="breakable">
      {[...name.matchAll(/[^@.]*[@.]|[^@.]+/g)].map(({ 0: part, index }) => (
        <Fragment key={index}>
          {part}
          <wbr />
        </Fragment>
      ))}
    </span>
  );
}
