import axe from 'axe-core'
import type { Page } from 'playwright-core'

type ColorScheme = 'light' | 'dark'
const COLOR_SCHEMES = ['light', 'dark'] as const

/**
 * Finds axe violations of a page in light and dark mode, and horizontal overflow, at the current size of the window; each is
 * prefixed with the given name and the width.
 *
 * @param fully The colour schemes in which every rule runs; in the others, only those about colours do.
 */
export async function findPageProblems(
  page: Page,
  name: string,
  fully: readonly ColorScheme[] = COLOR_SCHEMES,
): Promise<string[]> {
  const problems = await findViolations(page, fully)
  const [scrollWidth, clientWidth] = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    return [scrollWidth, clientWidth] as const
  })
  if (scrollWidth > clientWidth) problems.push(`is too wide by ${scrollWidth - clientWidth}`)
  problems.push(...(await page.evaluate(findCutLabels)), ...(await page.evaluate(findStrayLabels)))
  return problems.map((problem) => `${name} at ${clientWidth} px: ${problem}`)
}

/** Finds buttons whose label does not fit. Runs in the browser. */
function findCutLabels(): string[] {
  const labels = [...document.querySelectorAll('.mantine-Button-label')]
  const isCut = ({ scrollWidth, clientWidth, scrollHeight, clientHeight }: Element) =>
    scrollWidth > clientWidth + 1 || scrollHeight > clientHeight + 1
  return labels.filter(isCut).map(({ textContent }) => `the button “${textContent}” is cut off`)
}

/** Finds visible boxes, switches and radio buttons whose label is not beside them. Runs in the browser. */
function findStrayLabels(): string[] {
  const BODIES = '.mantine-Checkbox-body, .mantine-Radio-body, .mantine-Switch-body'
  const isStray = (control: Element) => {
    const [box, label] = [...control.children].map((part) => part.getBoundingClientRect())
    return box && label && control.checkVisibility() && (label.top >= box.bottom || box.top >= label.bottom)
  }
  return [...document.querySelectorAll(BODIES)]
    .filter(isStray)
    .map(({ textContent }) => `the label “${textContent}” is not beside its box`)
}

type Axe = typeof axe

/**
 * Makes colours change at once: while they fade from one scheme to the other, any of them may be seen. Runs in the browser.
 *
 * The page’s security policy forbids an inline style, but not a constructed one.
 *
 * @returns The style sheet that does it, for `resumeTransitions`.
 */
function stopTransitions(): CSSStyleSheet {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync('*, ::before, ::after { transition: none !important; animation: none !important }')
  document.adoptedStyleSheets.push(sheet)
  return sheet
}

/** Lets everything move again. Runs in the browser. */
function resumeTransitions(stopped: CSSStyleSheet): void {
  document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => sheet !== stopped)
}

const OF_COLOURS = ['color-contrast', 'link-in-text-block']

/**
 * Finds axe violations of any impact in light and dark mode.
 *
 * Source: WCAG 2.2, levels A and AA, and axe's best practices.
 */
export async function findViolations(
  page: Page,
  fully: readonly ColorScheme[] = COLOR_SCHEMES,
): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  const found: string[] = []
  const stopped = await page.evaluateHandle(stopTransitions)
  for (const colorScheme of COLOR_SCHEMES) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.waitForFunction((scheme) => {
      const { mantineColorScheme: shown } = document.documentElement.dataset
      return shown === undefined || shown === scheme
    }, colorScheme)
    const violations = await page.evaluate(
      async (only) => {
        const { axe: loaded } = window as unknown as { axe: Axe }
        // A dialog that has just opened gets its name in the next frame.
        for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame)
        const runOnly = only === null ? {} : { runOnly: { type: 'rule' as const, values: [...only] } }
        const { violations } = await loaded.run(document, { resultTypes: ['violations'], ...runOnly })
        // A list that a field opens is drawn outside the page, so that no box cuts it off; its field is in a landmark.
        const isPopup = (target: unknown) =>
          document.querySelector(String(target))?.closest('[data-portal]') != null
        return violations.map((violation) => ({
          ...violation,
          nodes: violation.nodes.filter(({ target }) => violation.id !== 'region' || !isPopup(target[0])),
        }))
      },
      fully.includes(colorScheme) ? null : OF_COLOURS,
    )
    for (const { id, impact, nodes } of violations) {
      found.push(
        ...nodes.map(
          ({ target, failureSummary }) => `${colorScheme} ${impact} ${id} ${target}: ${failureSummary}`,
        ),
      )
    }
  }
  await stopped.evaluate(resumeTransitions)
  return found
}
