import axe from "axe-core";
import type { Page } from "playwright-core";

/** What axe finds wrong with the page as it is now, except by the named rules. */
export async function accessibilityFindings(page: Page, { exceptRules = [] }: { exceptRules?: string[] } = {}) {
  await page.evaluate(axe.source);
  const options = { rules: Object.fromEntries(exceptRules.map((rule) => [rule, { enabled: false }])) };
  const { violations } = await page.evaluate<axe.AxeResults>(`axe.run(document, ${JSON.stringify(options)})`);
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  );
}
