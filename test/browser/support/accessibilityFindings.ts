import axe from "axe-core";
import type { Page } from "playwright-core";

/** Axe's findings about the page in its present state, except those of the named rules. */
export async function accessibilityFindings(page: Page, { exceptRules = [] }: { exceptRules?: string[] } = {}) {
  await page.evaluate(axe.source);
  const options = { rules: Object.fromEntries(exceptRules.map((rule) => [rule, { enabled: false }])) };
  const { violations } = await page.evaluate<axe.AxeResults>(`axe.run(document, ${JSON.stringify(options)})`);
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  );
}
