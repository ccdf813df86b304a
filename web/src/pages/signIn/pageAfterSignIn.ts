const KEY = 'svc.pageAfterSignIn'

/** The page to return to after signing in at an identity provider, remembered while the tab is away from the dashboard. */
export const pageAfterSignIn = {
  remember(): void {
    sessionStorage.setItem(KEY, window.location.pathname + window.location.search)
  },

  /** Returns the remembered page and forgets it; always a path of the dashboard. */
  take(): string {
    const remembered = sessionStorage.getItem(KEY) ?? '/'
    sessionStorage.removeItem(KEY)
    return /^\/(?![/\\])/.test(remembered) && !remembered.startsWith('/sign-in/') ? remembered : '/'
  },
}
