import { type MouseEvent, useSyncExternalStore } from 'react'
import { leaveGuard } from './leaveGuard.ts'

/**
 * Goes to another page of the dashboard without a page load, unless the reader stays with unsaved changes; `replace` adds no
 * history entry, and does not ask.
 */
export function navigate(to: string, options: { replace?: boolean } = {}): void {
  const isOtherPage = new URL(to, window.location.href).pathname !== window.location.pathname
  if (isOtherPage && !options.replace && !leaveGuard.allows()) return
  if (options.replace) window.history.replaceState(null, '', to)
  else window.history.pushState(null, '', to)
  window.dispatchEvent(new PopStateEvent('popstate'))
  if (!options.replace) window.scrollTo(0, 0)
}

/** Handles a plain click on an internal link; modified clicks, such as for a new tab, are left to the browser. */
export function followLink(event: MouseEvent): void {
  const { button, metaKey, ctrlKey, shiftKey, altKey, currentTarget, defaultPrevented } = event
  if (!(currentTarget instanceof HTMLAnchorElement) || defaultPrevented) return
  if (button !== 0 || metaKey || ctrlKey || shiftKey || altKey) return
  event.preventDefault()
  navigate(currentTarget.pathname + currentTarget.search)
}

/** Returns the parts of the current address, and follows the browser's history. `hash` begins with `#`, or is empty. */
export function useAddress(): { path: string; search: URLSearchParams; hash: string } {
  const { pathname, searchParams, hash } = new URL(useSyncExternalStore(subscribe, readAddress))
  return { path: pathname, search: searchParams, hash }
}

function readAddress(): string {
  return window.location.href
}

function subscribe(listener: () => void): () => void {
  // Added once, however often, and so before all others: a window calls its listeners in the order in which they were added.
  window.addEventListener('popstate', leaveGuard.followHistory)
  window.addEventListener('popstate', listener)
  return () => window.removeEventListener('popstate', listener)
}
