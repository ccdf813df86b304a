/**
 * Where a provider sends the browser back to: an address of the dashboard's site, because the browser that began there
 * holds what the sign-in is compared with.
 */
export function redirectUri(appUrl: string, provider: string): string {
  return `${appUrl}/api/auth/oauth/${provider}/callback`
}
