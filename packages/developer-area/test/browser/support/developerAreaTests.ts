import assert from "node:assert/strict";
import { afterAll, afterEach, beforeAll, beforeEach } from "@jest/globals";
import type { Browser, Page } from "playwright-core";
import { launchChromium } from "./chromium.ts";
import { DeveloperAreaStage } from "./developerAreaStage.ts";
import { inspectState } from "./inspections.ts";
import { type OpenedPage, openDeveloperArea, openSignedIn, signIn } from "./openDeveloperArea.ts";

/** One browser for a file's tests, and a stage and a page for each test. Every test fails if its page reports a problem. */
export class DeveloperAreaTests {
  #browser: Browser | undefined;
  #stage: DeveloperAreaStage | undefined;
  #opened: OpenedPage | undefined;

  constructor() {
    beforeAll(async () => {
      this.#browser = await launchChromium();
    });
    afterAll(() => this.#browser?.close());
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
    return this.#stage ?? assert.fail("The stage exists only during a test.");
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

  /**
   * Signs in with a clock that `page.clock` controls. Timers that the page starts at once use it too. Real time also moves this clock, so
   * the page may refresh itself at any time.
   */
  async openSignedInWithClock(): Promise<Page> {
    const page = await this.open();
    await this.opened.context.clock.install();
    await signIn(page);
    return page;
  }

  inspect(name: string): Promise<void> {
    return inspectState(this.opened.page, name);
  }
}
