/** Names of Scalar's buttons that show only a picture, by selector. */
const NAMES = {
  '.scalar-code-copy, .code-copy': 'Copy',
  '.client-libraries__select': 'More languages',
}

/** Boxes of the operations, whose names repeat: as landmarks, they could not be told apart. */
const REPEATED_REGIONS = 'div[role="region"][aria-labelledby]'

/** What Scalar marks as selected without being something to select. */
const WRONGLY_SELECTED = 'button[aria-selected]:not([role="tab"], [role="option"])'

/**
 * Repairs what assistive technology cannot use in Scalar's markup, now and whenever Scalar changes it: buttons without a name or
 * with another one than they show, a menu among tabs, landmarks of the same name, and links that no keyboard reaches.
 *
 * Source: WCAG 2.2, 1.3.1, 2.1.1, 2.5.3 and 4.1.2.
 */
export function repairMarkup(root) {
  const repair = () => {
    for (const [selector, name] of Object.entries(NAMES)) {
      for (const button of root.querySelectorAll(selector)) setAttribute(button, 'aria-label', name)
    }
    // With that role, its text is not its name.
    for (const button of root.querySelectorAll('button[role="search"]')) button.removeAttribute('role')
    for (const button of root.querySelectorAll('.show-more[aria-label]')) nameAsShown(button)
    for (const button of root.querySelectorAll(WRONGLY_SELECTED)) markCurrent(button)
    for (const button of root.querySelectorAll('[role="tablist"] .client-libraries__select')) {
      setAttribute(button, 'role', 'tab')
    }
    for (const region of root.querySelectorAll(REPEATED_REGIONS)) region.setAttribute('role', 'group')
    for (const link of root.querySelectorAll('a.endpoint:not([href], [role])')) makeReachable(link)
  }
  repair()
  new MutationObserver(repair).observe(root, {
    subtree: true,
    childList: true,
    attributes: true,
    attributeFilter: ['aria-selected', 'class'],
  })
}

/** Only if it differs, because every change is observed. */
function setAttribute(element, name, value) {
  if (element.getAttribute(name) !== value) element.setAttribute(name, value)
}

/** Puts the visible text before the name, for those who speak what they see. */
function nameAsShown(button) {
  const shown = button.textContent.trim()
  const name = button.getAttribute('aria-label')
  if (!name.includes(shown)) button.setAttribute('aria-label', `${shown}: ${name}`)
}

function markCurrent(button) {
  if (button.getAttribute('aria-selected') === 'true') button.setAttribute('aria-current', 'true')
  else button.removeAttribute('aria-current')
  button.removeAttribute('aria-selected')
}

/** Such a link has only a handler for clicks. */
function makeReachable(link) {
  link.setAttribute('role', 'link')
  link.tabIndex = 0
  link.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') link.click()
  })
}
