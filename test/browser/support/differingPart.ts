import type { BrowserContext } from "playwright-core";

/** The part of the pixels that clearly differ in two pictures (PNG); 1 if the sizes differ. */
export async function differingPart(context: BrowserContext, pictures: [Buffer, Buffer]): Promise<number> {
  const blank = await context.newPage();
  const urls = pictures.map((png) => `data:image/png;base64,${png.toString("base64")}`);
  const part = await blank.evaluate<number>(`(${compare})(${JSON.stringify(urls)})`);
  await blank.close();
  return part;
}

/** Runs in the browser. */
const compare = `async (urls) => {
  const [one, other] = await Promise.all(urls.map(async (url) => {
    const image = new Image();
    image.src = url;
    await image.decode();
    const context = Object.assign(document.createElement("canvas"), { width: image.width, height: image.height }).getContext("2d");
    context.drawImage(image, 0, 0);
    return context.getImageData(0, 0, image.width, image.height);
  }));
  if (one.width !== other.width || one.height !== other.height) return 1;
  let differing = 0;
  for (let at = 0; at < one.data.length; at += 4) {
    if ([0, 1, 2].some((channel) => Math.abs(one.data[at + channel] - other.data[at + channel]) > 40)) differing += 1;
  }
  return differing / (one.data.length / 4);
}`;
