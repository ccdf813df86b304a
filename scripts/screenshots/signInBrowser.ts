import type { Page } from 'playwright-core'

/**
 * Signs a browser in to the dashboard with the refresh token of a session from the API, which moves into its cookie.
 *
 * @param baseUrl The address at which the browser opens the dashboard.
 */
export async function signInBrowser(page: Page, baseUrl: string, refreshToken: string): Promise<void> {
  const moved = await page.context().request.post(`${baseUrl}/api/auth/refresh`, {
    headers: { 'X-Svc-Session': 'cookie' },
    data: { refreshToken },
  })
  if (!moved.ok()) throw new Error(`the browser could not be signed in: ${moved.status()}`)
}
