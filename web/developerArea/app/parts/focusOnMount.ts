/** As a `ref`: focuses an element when it appears. A stable function, so that a re-render does not focus again. */
export function focusOnMount(element: HTMLElement | null): void {
  element?.focus();
}
