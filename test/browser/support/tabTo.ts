import type { Page } from 'playwright-core'

const PRESSES_MAX = 60

/** Presses Tab until the first element of a selector has the focus. */
export async function tabTo(page: Page, selector: string): Promise<void> {
  const target = page.locator(selector).first()
  for (let presses = 0; presses < PRESSES_MAX; presses += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab does not lead to ${selector}`)
}
