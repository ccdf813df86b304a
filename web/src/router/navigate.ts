/** Goes to another page of the dashboard without loading it anew; `replace` leaves no step back. */
export function navigate(to: string, options: { replace?: boolean } = {}): void {
  if (options.replace) window.history.replaceState(null, '', to)
  else window.history.pushState(null, '', to)
  window.dispatchEvent(new PopStateEvent('popstate'))
  if (!options.replace) window.scrollTo(0, 0)
}
