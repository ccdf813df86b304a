import type { Session } from '@svc/core/contract/accounts.ts'
import { apiError } from '../../errors.ts'
import type { Call } from '../../middleware/call.ts'
import { REFRESH_TOKEN_LIFETIME_MS } from '../../services/accounts/openSession.ts'
import { type HostCookie, readHostCookie, writeHostCookie } from './hostCookie.ts'

/** The address of the dashboard, whose host the cookie belongs to. */
export type SessionCookieDeps = { appUrl: string }

/** The header of the operations that issue a session, or read its refresh token. */
export const SESSION_HEADER = {
  'X-Svc-Session':
    '`cookie` moves the refresh token from the body to an `HttpOnly` cookie, which only refresh and logout read',
} as const

type SessionAnswer = { headers: { 'Set-Cookie'?: string }; body: { success: true; data: Session } }

const MAX_AGE_SECONDS = REFRESH_TOKEN_LIFETIME_MS / 1000

/**
 * The response that signs a user in: with the refresh token in the body, or in the cookie if the request asks for that.
 */
export function answerSession({ appUrl }: SessionCookieDeps, call: Call, data: Session): SessionAnswer {
  if (!asksForCookie(call)) return { headers: {}, body: { success: true, data } }
  const { refreshToken = '', ...rest } = data
  const headers = { 'Set-Cookie': writeHostCookie(cookieOf(appUrl), refreshToken, MAX_AGE_SECONDS) }
  return { headers, body: { success: true, data: rest } }
}

/** The header that deletes the cookie, for a request that uses it. */
export function dropSessionCookie({ appUrl }: SessionCookieDeps, call: Call): Record<string, string> {
  return asksForCookie(call) ? { 'Set-Cookie': writeHostCookie(cookieOf(appUrl), '', 0) } : {}
}

/**
 * The refresh token in the cookie, if the request asks for it; null without one.
 *
 * A browser adds the cookie by itself, so the request has to come from a page of the service: `SameSite=Strict` does not
 * exclude pages of neighbouring hosts, which belong to the same site.
 *
 * @throws ApiError FORBIDDEN for a page of another origin. Source: Fetch Metadata Request Headers §2.4, RFC 6454 §7.
 */
export function readSessionCookie({ appUrl }: SessionCookieDeps, call: Call): string | null {
  if (!asksForCookie(call)) return null
  if (!isSameOrigin(appUrl, call)) {
    throw apiError('FORBIDDEN', {
      message: 'The session’s cookie is accepted from the dashboard’s own pages only.',
    })
  }
  return readHostCookie(cookieOf(appUrl), call) || null
}

/** Whether a request wants the refresh token in the cookie, and not in the body. */
export function asksForCookie(call: Call): boolean {
  return call.header('x-svc-session') === 'cookie'
}

/** Services on one host share its cookies whatever their port, so without the prefix the name has the port. */
function cookieOf(appUrl: string): HostCookie {
  const { protocol, port } = new URL(appUrl)
  const name = protocol === 'https:' ? 'svc_refresh' : `svc_refresh_${port || '80'}`
  return { appUrl, name, sameSite: 'Strict' }
}

/** Without `Sec-Fetch-Site` (older browsers, plain HTTP), the page's origin has to be the dashboard's or the request's. */
function isSameOrigin(appUrl: string, call: Call): boolean {
  const site = call.header('sec-fetch-site')
  if (site !== undefined) return site === 'same-origin'
  const origin = call.header('origin')
  if (origin === undefined || !URL.canParse(origin)) return false
  const [page, dashboard] = [new URL(origin), new URL(appUrl)]
  if (page.protocol !== dashboard.protocol) return false
  return page.host === dashboard.host || page.host === call.header('host')
}
