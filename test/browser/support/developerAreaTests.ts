import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach } from "node:test";
import type { Browser, Page } from "playwright-core";
import { launchChromium } from "./chromium.ts";
import { DeveloperAreaStage } from "./developerAreaStage.ts";
import { inspectState } from "./inspectState.ts";
import { type OpenedPage, openDeveloperArea, openSignedIn } from "./openDeveloperArea.ts";

/** A browser for a file's tests, and for each of them a stage and a page of its own. No page may complain of anything. */
export class DeveloperAreaTests {
  #browser: Browser | undefined;
  #stage: DeveloperAreaStage | undefined;
  #opened: OpenedPage | undefined;

  constructor() {
    before(async () => {
      this.#browser = await launchChromium();
    });
    after(() => this.#browser?.close());
    beforeEach(async () => {
      this.#stage = await DeveloperAreaStage.start();
    });
    afterEach(async () => {
      const complaints = this.#opened?.complaints;
      await this.#opened?.context.close();
      await this.#stage?.stop();
      assert.deepEqual(complaints, []);
    });
  }

  get stage(): DeveloperAreaStage {
    return this.#stage ?? assert.fail("There is a stage only during a test.");
  }

  get opened(): OpenedPage {
    return this.#opened ?? assert.fail("No page has been opened.");
  }

  async open(path?: string): Promise<Page> {
    this.#opened = await openDeveloperArea(this.#browser ?? assert.fail(), this.stage, path);
    return this.#opened.page;
  }

  async openSignedIn(hash?: string): Promise<Page> {
    this.#opened = await openSignedIn(this.#browser ?? assert.fail(), this.stage, hash);
    return this.#opened.page;
  }

  inspect(name: string): Promise<void> {
    return inspectState(this.opened.page, name);
  }
}
