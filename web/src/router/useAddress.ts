import { useSyncExternalStore } from 'react'

/** Where the dashboard is: path and query, following the browser's history. */
export function useAddress(): { path: string; search: URLSearchParams } {
  const address = useSyncExternalStore(subscribe, () => window.location.pathname + window.location.search)
  const { pathname, searchParams } = new URL(address, window.location.origin)
  return { path: pathname, search: searchParams }
}

function subscribe(listener: () => void): () => void {
  window.addEventListener('popstate', listener)
  return () => window.removeEventListener('popstate', listener)
}
