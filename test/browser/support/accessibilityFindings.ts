import axe from "axe-core";
import type { Page } from "playwright-core";

type Violations = Pick<axe.Result, "id" | "nodes">[];

/** Axe's findings about the page in its present state, except those of the named rules. */
export async function accessibilityFindings(page: Page, { exceptRules = [] }: { exceptRules?: string[] } = {}) {
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(axe.source);
  const rules = Object.fromEntries(exceptRules.map((rule) => [rule, { enabled: false }]));
  // To describe and return what passes takes longer than the checks.
  const options = JSON.stringify({ rules, resultTypes: ["violations"] });
  const violations = await page.evaluate<Violations>(`axe.run(document, ${options}).then((found) => found.violations)`);
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  );
}
