const KEY = 'svc.pageAfterSignIn'

/** The page that a sign-in at an identity provider leads back to: the tab leaves the dashboard meanwhile. */
export const pageAfterSignIn = {
  keep(): void {
    sessionStorage.setItem(KEY, window.location.pathname + window.location.search)
  },

  /** The page that was kept, once; a path of the dashboard. */
  take(): string {
    const kept = sessionStorage.getItem(KEY) ?? '/'
    sessionStorage.removeItem(KEY)
    return /^\/(?![/\\])/.test(kept) && !kept.startsWith('/sign-in/') ? kept : '/'
  },
}
