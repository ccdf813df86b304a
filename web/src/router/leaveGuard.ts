const QUESTION = 'You have changes on this page that are not saved. Leave it and lose them?'

/** The forms of the page with something unsaved. */
const holders = new Set<object>()
/** The address of the page, as long as there are any. */
let address = ''

/** Asks before something unsaved is lost because its page is left, by a link, by the browser's history or by closing. */
export const leaveGuard = {
  /** Has the guard ask until the returned function is called. */
  hold(): () => void {
    const holder = {}
    address = window.location.href
    holders.add(holder)
    // Only while it must: a page that listens for its unloading is loaded again on the way back.
    window.addEventListener('beforeunload', askAtUnload)
    return () => {
      holders.delete(holder)
      if (holders.size === 0) window.removeEventListener('beforeunload', askAtUnload)
    }
  },

  /** Whether the page may be left: nothing is unsaved, or the reader agrees to lose it. */
  allows: (): boolean => holders.size === 0 || window.confirm(QUESTION),

  /**
   * Handles `popstate` before anything that shows the page at the new address.
   *
   * The browser cannot be kept from going back, so it is brought forward again.
   */
  followHistory(event: PopStateEvent): void {
    if (holders.size === 0) return
    const isOtherPage = new URL(address).pathname !== window.location.pathname
    // The router announces its own steps by the same event, and has asked before.
    if (event.isTrusted && isOtherPage && !leaveGuard.allows()) {
      event.stopImmediatePropagation()
      window.history.pushState(null, '', address)
    } else address = window.location.href
  },
}

/** The browser asks in its own words. */
function askAtUnload(event: BeforeUnloadEvent): void {
  event.preventDefault()
}
