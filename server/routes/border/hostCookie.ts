import type { Call } from '../../middleware/call.ts'

/** A cookie of the dashboard's host; `appUrl` is the dashboard's configured address. */
export type HostCookie = {
  appUrl: string
  name: string
  sameSite: 'Lax' | 'Strict'
}

/**
 * The value of a `Set-Cookie` header.
 *
 * @param seconds The lifetime of the cookie; 0 deletes it.
 */
export function writeHostCookie(cookie: HostCookie, value: string, seconds: number): string {
  const secure = isSecure(cookie) ? '; Secure' : ''
  return `${nameOf(cookie)}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=${cookie.sameSite}${secure}`
}

/** Reads the value that the browser sent; null if it sent none. */
export function readHostCookie(cookie: HostCookie, call: Call): string | null {
  const prefix = `${nameOf(cookie)}=`
  const pairs = (call.header('cookie') ?? '').split(';').map((pair) => pair.trim())
  return pairs.find((pair) => pair.startsWith(prefix))?.slice(prefix.length) ?? null
}

/** With the prefix, a browser accepts the cookie only from this host and over HTTPS. Source: RFC 6265bis §4.1.3.2. */
function nameOf(cookie: HostCookie): string {
  return isSecure(cookie) ? `__Host-${cookie.name}` : cookie.name
}

function isSecure({ appUrl }: HostCookie): boolean {
  return appUrl.startsWith('https:')
}
