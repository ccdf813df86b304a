import type { Page } from 'playwright-core'

/** Leads an open dashboard to another address, as a click on one of its own links does: without loading it anew. */
export async function showPath(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => {
    window.history.pushState(null, '', to)
    window.dispatchEvent(new PopStateEvent('popstate'))
  }, path)
}
