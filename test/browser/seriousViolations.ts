import axe from 'axe-core'
import type { Page } from 'playwright-core'

/** What axe finds serious or critical on a page, in light and in dark. Source: WCAG 2.2, levels A and AA. */
export async function seriousViolations(page: Page): Promise<string[]> {
  const found: string[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.evaluate(axe.source)
    const { violations } = await page.evaluate(async () => {
      const { axe: loaded } = window as unknown as { axe: typeof axe }
      // Colours fade from one scheme to the other; only where they end counts.
      await Promise.all(document.getAnimations().map((animation) => animation.finished.catch(() => null)))
      return loaded.run(document, { resultTypes: ['violations'] })
    })
    for (const { id, impact, nodes } of violations) {
      if (impact !== 'serious' && impact !== 'critical') continue
      found.push(
        ...nodes.map(({ target, failureSummary }) => `${colorScheme} ${id} ${target}: ${failureSummary}`),
      )
    }
  }
  return found
}
