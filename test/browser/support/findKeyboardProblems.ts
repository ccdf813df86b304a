import type { Page } from 'playwright-core'

/** More presses than the longest page has stops. */
const PRESSES_MAX = 300

/**
 * Walks through a page with Tab, and finds what the keyboard cannot reach, what comes out of the order of the document,
 * where the focus cannot be seen or is covered, and where it is trapped.
 *
 * Source: WCAG 2.2, 2.1.1 (keyboard), 2.1.2 (no trap), 2.4.3 (order), 2.4.7 (visible) and 2.4.11 (not obscured).
 */
export async function findKeyboardProblems(page: Page, name: string): Promise<string[]> {
  let left = await page.evaluate(startWalk)
  for (let presses = 0; left > 0 && presses < PRESSES_MAX; presses += left) {
    // One more leaves the last stop.
    for (let press = 0; press <= left; press += 1) await page.keyboard.press('Tab')
    left = await page.evaluate(() => (window as unknown as Walk).countStopsLeft())
  }
  const problems = await page.evaluate(() => (window as unknown as Walk).endWalk())
  return problems.map((problem) => `${name} by keyboard: ${problem}`)
}

/** What `startWalk` leaves in the window of the page. */
type Walk = {
  /** How many stops are left, at least 1 until the focus has left the last one. */
  countStopsLeft: () => number
  /** Stops following the focus, and returns the problems. */
  endWalk: () => string[]
}

/** Puts the focus before everything and follows it from there; returns how many stops a page has. Runs in the browser. */
function startWalk(): number {
  const CONTROLS =
    'a[href], button, input, select, textarea, summary, iframe, [contenteditable=true], [role=button], [role=link], ' +
    '[role=checkbox], [role=switch], [role=slider], [role=combobox], [role=tab], [role=radio], [role=option]'
  /** Arrow keys move the focus between these, of which Tab reaches only one. */
  const ROVING = '[role=tab], [role=option], [role=menuitem], [role=radio], input[type=radio]'
  /** What may show the focus. */
  const LOOK = [
    ...['outline-style', 'outline-width', 'outline-color', 'box-shadow', 'border-top-color'],
    ...['border-bottom-color', 'background-color', 'text-decoration-line', 'transform'],
  ]
  const problems: string[] = []
  const reached: Element[] = []
  let focused: { element: Element; look: string } | null = null
  let isOver = false

  const isStop = (element: Element): element is HTMLElement =>
    element instanceof HTMLElement &&
    element.checkVisibility({ visibilityProperty: true }) &&
    !element.matches(':disabled, [type=hidden]') &&
    element.closest('[inert], [aria-hidden=true]') === null
  const stops = [...document.querySelectorAll(CONTROLS)].filter(isStop)
  /** Whether it has not been reached yet, and is still in the page, which may have been drawn again. */
  const isMissed = (stop: HTMLElement) => stop.isConnected && !stop.matches(ROVING) && !reached.includes(stop)
  const isLeft = (stop: HTMLElement) => stop.tabIndex >= 0 && isMissed(stop)

  const describe = (element: Element) => {
    const words = element.getAttribute('aria-label') ?? element.getAttribute('name') ?? element.textContent
    return `${element.tagName.toLowerCase()} “${words?.trim().slice(0, 40)}”`
  }
  /**
   * How an element looks, and what is beside and around it: the focus of a hidden input shows at the switch beside it, and
   * that of an input among pills at the frame around all of them.
   */
  const readLook = (element: Element): string => {
    const around: Element[] = [...(element.parentElement?.children ?? [])]
    let outer = element.parentElement
    for (let level = 0; level < 4 && outer !== null; level += 1) {
      around.push(outer)
      outer = outer.parentElement
    }
    return around
      .flatMap((one) => [null, '::before', '::after'].map((part) => getComputedStyle(one, part)))
      .map((style) => LOOK.map((property) => style.getPropertyValue(property)).join())
      .join('|')
  }
  const isCovered = (element: Element): boolean => {
    const { left, top, width, height } = element.getBoundingClientRect()
    const hit = document.elementFromPoint(left + width / 2, top + Math.min(height / 2, 20))
    const around = element.parentElement?.parentElement ?? element
    return hit === null || !(hit.contains(element) || around.contains(hit))
  }

  const onFocus = ({ target }: Event) => {
    if (!(target instanceof Element) || isOver) return
    const last = reached.at(-1)
    isOver = target === reached[0]
    if (isOver) return
    if (last && !(last.compareDocumentPosition(target) & Node.DOCUMENT_POSITION_FOLLOWING)) {
      problems.push(`${describe(target)} comes after ${describe(last)}`)
    }
    reached.push(target)
  }
  /** Before the focus moves, after the page has scrolled to it. */
  const onKey = () => {
    const element = document.activeElement
    if (element === null || element === document.body || isOver) return
    focused = { element, look: readLook(element) }
    if (isCovered(element)) problems.push(`${describe(element)} is covered or out of sight`)
  }
  const onBlur = ({ target }: Event) => {
    if (focused === null || target !== focused.element) return
    if (readLook(focused.element) === focused.look) {
      problems.push(`${describe(focused.element)} does not show its focus`)
    }
  }
  const listeners = [
    ['focusin', onFocus],
    ['keydown', onKey],
    ['focusout', onBlur],
  ] as const
  // Otherwise, a colour that fades has not changed yet when the next key is pressed.
  const still = new CSSStyleSheet()
  still.replaceSync('* { transition: none !important }')
  document.adoptedStyleSheets.push(still)
  document.body.tabIndex = -1
  document.body.focus()
  document.body.removeAttribute('tabindex')
  for (const [type, listener] of listeners) document.addEventListener(type, listener, true)

  const walk: Walk = {
    countStopsLeft() {
      const hasLeft = isOver || (reached.length > 0 && document.activeElement === document.body)
      return hasLeft ? 0 : Math.max(1, stops.filter(isLeft).length)
    },
    endWalk() {
      if (walk.countStopsLeft() > 0 && stops.length > 0) {
        problems.push(`the focus is trapped at ${document.activeElement && describe(document.activeElement)}`)
      }
      for (const [type, listener] of listeners) document.removeEventListener(type, listener, true)
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => sheet !== still)
      const missed = stops.filter(isMissed)
      return [...problems, ...missed.map((stop) => `${describe(stop)} is not reached`)]
    },
  }
  Object.assign(window, walk)
  return stops.filter(isLeft).length
}
