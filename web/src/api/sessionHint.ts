const KEY = 'svc.wasSignedIn'

/**
 * Whether somebody was signed in here last, so that the right code can be loaded before the service has said so. It is no
 * secret and decides nothing.
 */
export const sessionHint = {
  read: (): boolean => localStorage.getItem(KEY) !== null,
  set: (isSignedIn: boolean): void =>
    isSignedIn ? localStorage.setItem(KEY, '1') : localStorage.removeItem(KEY),
}
