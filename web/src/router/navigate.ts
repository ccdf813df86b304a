import { type MouseEvent, useSyncExternalStore } from 'react'

/** Goes to another page of the dashboard without a page load; `replace` adds no history entry. */
export function navigate(to: string, options: { replace?: boolean } = {}): void {
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
  window.addEventListener('popstate', listener)
  return () => window.removeEventListener('popstate', listener)
}
