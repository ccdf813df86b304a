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

/** Returns the current path and query, and follows the browser's history. */
export function useAddress(): { path: string; search: URLSearchParams } {
  const address = useSyncExternalStore(subscribe, () => window.location.pathname + window.location.search)
  const { pathname, searchParams } = new URL(address, window.location.origin)
  return { path: pathname, search: searchParams }
}

function subscribe(listener: () => void): () => void {
  window.addEventListener('popstate', listener)
  return () => window.removeEventListener('popstate', listener)
}
