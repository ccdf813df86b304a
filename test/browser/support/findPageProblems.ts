import axe from 'axe-core'
import type { Page } from 'playwright-core'

/** What is wrong with what a page shows now, under a name for it: what axe finds serious, and being wider than the window. */
export async function findPageProblems(page: Page, name: string): Promise<string[]> {
  const wrong = (await findSeriousViolations(page)).map((violation) => `${name}: ${violation}`)
  const { scrollWidth, clientWidth } = await page.evaluate(() => document.documentElement)
  if (scrollWidth > clientWidth) wrong.push(`${name} is too wide by ${scrollWidth - clientWidth}`)
  return wrong
}

type Axe = typeof axe

/** All that axe looks at that depends on colours, which are all that differs in the dark. */
const OF_COLOURS = ['color-contrast', 'link-in-text-block']

/** What axe finds serious or critical on a page, in light and in dark. Source: WCAG 2.2, levels A and AA. */
export async function findSeriousViolations(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  const found: string[] = []
  for (const [colorScheme, rules] of [
    ['light', null],
    ['dark', OF_COLOURS],
  ] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    const violations = await page.evaluate(async (only) => {
      const { axe: loaded } = window as unknown as { axe: Axe }
      // Colours fade from one scheme to the other, from the next frame on; only where they end counts.
      for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame)
      await Promise.all(document.getAnimations().map((animation) => animation.finished.catch(() => null)))
      const runOnly = only === null ? {} : { runOnly: { type: 'rule' as const, values: [...only] } }
      return (await loaded.run(document, { resultTypes: ['violations'], ...runOnly })).violations
    }, rules)
    for (const { id, impact, nodes } of violations) {
      if (impact !== 'serious' && impact !== 'critical') continue
      found.push(
        ...nodes.map(({ target, failureSummary }) => `${colorScheme} ${id} ${target}: ${failureSummary}`),
      )
    }
  }
  return found
}
