/** How long a page has to move the focus by itself. */
const OWN_MOVE_MS = 150
const TRAIL_MAX = 8

type Place = { element: Element; around: Element | null }

/**
 * Moves the focus to the heading of the section that it was in, or else of the page, when the focused element disappears or
 * is disabled, as after a removal. Otherwise it would fall to the body, and the keyboard would start again at the top.
 *
 * Source: WCAG 2.2, 2.4.3 (focus order).
 *
 * @returns A function that ends it.
 */
export function keepFocus(): () => void {
  /** Where the focus has been, newest first. */
  let trail: Place[] = []
  let timer: ReturnType<typeof setTimeout> | undefined

  const follow = ({ target }: Event) => {
    if (!(target instanceof Element) || target === document.body) return
    const around = target.closest('[role=dialog], section')
    trail = [{ element: target, around }, ...trail.filter(({ element }) => element !== target)].slice(
      0,
      TRAIL_MAX,
    )
  }
  // Whoever clicks beside everything takes the focus away on purpose.
  const forget = () => {
    if (!hasFocus()) trail = []
  }

  const restore = () => {
    if (hasFocus() || trail[0] === undefined || !isGone(trail[0].element)) return
    const places = trail.map(({ element, around }) =>
      isGone(element) ? around?.querySelector('h1, h2, h3') : element,
    )
    const place = [...places, document.querySelector('h1')].find(isVisible)
    if (place === undefined) return
    if (!trail.some(({ element }) => element === place)) place.tabIndex = -1
    place.focus()
  }
  const watch = () => {
    if (trail[0] === undefined || !isGone(trail[0].element)) return
    clearTimeout(timer)
    timer = setTimeout(restore, OWN_MOVE_MS)
  }
  const change = { childList: true, subtree: true, attributes: true, attributeFilter: ['disabled'] }
  const observer = new MutationObserver(watch)
  observer.observe(document.body, change)
  document.addEventListener('focusin', follow)
  document.addEventListener('pointerup', forget)
  return () => {
    clearTimeout(timer)
    observer.disconnect()
    document.removeEventListener('focusin', follow)
    document.removeEventListener('pointerup', forget)
  }
}

function isGone(element: Element): boolean {
  return !element.isConnected || element.matches(':disabled')
}

function isVisible(place: Element | null | undefined): place is HTMLElement {
  return place instanceof HTMLElement && place.checkVisibility()
}

/** Whether anything that can hold the focus has it. */
function hasFocus(): boolean {
  const { activeElement } = document
  return activeElement !== null && activeElement !== document.body && !isGone(activeElement)
}
