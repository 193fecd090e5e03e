/** As a `ref`: gives an element the focus when it appears. One function, so that rendering again does not focus again. */
export function focusOnMount(element: HTMLElement | null): void {
  element?.focus();
}
