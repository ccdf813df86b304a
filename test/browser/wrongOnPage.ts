import type { Page } from 'playwright-core'
import { seriousViolations } from './seriousViolations.ts'

/** What is wrong with what a page shows now, under a name for it: what axe finds serious, and being wider than the window. */
export async function wrongOnPage(page: Page, name: string): Promise<string[]> {
  const wrong = (await seriousViolations(page)).map((violation) => `${name}: ${violation}`)
  const { scrollWidth, clientWidth } = await page.evaluate(() => document.documentElement)
  if (scrollWidth > clientWidth) wrong.push(`${name} is too wide by ${scrollWidth - clientWidth}`)
  return wrong
}
