import type { Page } from "playwright-core";

/** The machine's fonts that the page uses once its own are loaded. */
export async function systemFonts(page: Page): Promise<string[]> {
  await page.evaluate("document.fonts.ready.then(() => {})");
  const client = await page.context().newCDPSession(page);
  await client.send("DOM.enable");
  await client.send("CSS.enable");
  const { root } = await client.send("DOM.getDocument");
  const { nodeIds } = await client.send("DOM.querySelectorAll", { nodeId: root.nodeId, selector: "body *" });
  const used = await Promise.all(nodeIds.map((nodeId) => client.send("CSS.getPlatformFontsForNode", { nodeId })));
  await client.detach();
  const ofMachine = used.flatMap(({ fonts }) => fonts).filter(({ isCustomFont }) => !isCustomFont);
  return [...new Set(ofMachine.map(({ familyName }) => familyName))];
}
