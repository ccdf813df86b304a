import axe from 'axe-core'
import type { Page } from 'playwright-core'

/** Finds serious axe violations and horizontal overflow on a page, prefixed with the given name. */
export async function findPageProblems(page: Page, name: string): Promise<string[]> {
  const problems = (await findSeriousViolations(page)).map((violation) => `${name}: ${violation}`)
  const { scrollWidth, clientWidth } = await page.evaluate(() => document.documentElement)
  if (scrollWidth > clientWidth) problems.push(`${name} is too wide by ${scrollWidth - clientWidth}`)
  return problems
}

type Axe = typeof axe

/** The axe rules that depend on colours, which are all that differs in dark mode. */
const OF_COLOURS = ['color-contrast', 'link-in-text-block']

/** Finds serious and critical axe violations on a page in light and dark mode. Source: WCAG 2.2, levels A and AA. */
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
      // Colours fade from one scheme to the other over the next frames; only the final ones count.
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
