import type { Page } from 'playwright-core'

/** Counts the clicks of a mouse from the next page load on; returns a function that reads their number. */
export async function countClicks(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    const counter = window as unknown as { clicks: number }
    counter.clicks = 0
    const count = ({ detail }: MouseEvent) => {
      // The keyboard clicks too, with 0.
      if (detail > 0) counter.clicks += 1
    }
    window.addEventListener('click', count, true)
  })
  return () => page.evaluate(() => (window as unknown as { clicks: number }).clicks)
}
