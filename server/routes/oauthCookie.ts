import type { Call } from '../middleware/call.ts'

/** The prefix lets a browser take it from this very site alone, and by HTTPS. Source: RFC 6265bis §4.1.3.2. */
const nameAt = (appUrl: string) => (appUrl.startsWith('https:') ? '__Host-svc_oauth' : 'svc_oauth')

/**
 * The one cookie of the interface: what a browser keeps from leaving for an identity provider until it has a session.
 *
 * It is no credential: it opens nothing without the code or state that only the way through the provider gives. Lax,
 * because the way back from the provider is a navigation from another site.
 */
export const oauthCookie = {
  /** @param seconds How long it is kept; 0 takes it away. */
  write(appUrl: string, value: string, seconds: number): Record<string, string> {
    const secure = appUrl.startsWith('https:') ? '; Secure' : ''
    const cookie = `${nameAt(appUrl)}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`
    return { 'Set-Cookie': cookie, 'Referrer-Policy': 'no-referrer' }
  },

  read(appUrl: string, call: Call): string | null {
    const prefix = `${nameAt(appUrl)}=`
    const pairs = (call.header('cookie') ?? '').split(';').map((pair) => pair.trim())
    return pairs.find((pair) => pair.startsWith(prefix))?.slice(prefix.length) ?? null
  },
} as const
