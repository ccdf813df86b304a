import { randomBytes } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import type { DemoAccount } from './openAccount.ts'

type Credentials = Pick<DemoAccount, 'email' | 'password'>

/** Offers links that sign a browser in. */
export type SignInLinks = {
  /** Returns a link that signs in to `path` once, within `LINK_MINUTES`. */
  add(account: Credentials, path: string): string
  close(): Promise<void>
}

export const LINK_MINUTES = 15

const TOO_LATE =
  'This link has been used or has expired. Sign in with the e-mail address and password shown in the terminal.\n'

/**
 * Opens a server on this machine that signs a browser in as an account of the demo, whose password the demo has.
 *
 * It signs in at the service like anybody with that password, and hands the session's cookie of that response to the
 * browser. The browser sends it to the service, because cookies of a host do not depend on the port.
 *
 * @param baseUrl A service on this machine. Source: RFC 6265 §8.5.
 */
export async function openSignInLinks(baseUrl: string, now: () => number = Date.now): Promise<SignInLinks> {
  const pending = new Map<string, { account: Credentials; path: string; endsAt: number }>()
  const server = createServer((req, res) => {
    const { method, url = '' } = req
    const link = pending.get(url)
    // What looks at a link before a person does, such as the terminal, asks for its head.
    if (method !== 'GET') return respond(res, 405, '', { Allow: 'GET' })
    pending.delete(url)
    if (link === undefined || link.endsAt < now()) return respond(res, 410, TOO_LATE)
    return signIn(baseUrl, link.account).then(
      (cookies) => respond(res, 302, '', { Location: baseUrl + link.path, 'Set-Cookie': cookies }),
      (error) => respond(res, 502, `${error instanceof Error ? error.message : error}\n`),
    )
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  const origin = new URL(baseUrl)
  origin.port = String(typeof address === 'object' && address !== null ? address.port : '')
  return {
    add(account, path) {
      const secret = `/${randomBytes(24).toString('base64url')}`
      pending.set(secret, { account, path, endsAt: now() + LINK_MINUTES * 60_000 })
      return origin.origin + secret
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Returns the cookies of a new session. */
async function signIn(baseUrl: string, { email, password }: Credentials): Promise<string[]> {
  const response = await fetch(`${baseUrl}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-svc-session': 'cookie' },
    body: JSON.stringify({ email, password }),
    signal: AbortSignal.timeout(15_000),
  })
  if (!response.ok) throw new Error(`The service did not sign in: ${response.status}`)
  return response.headers.getSetCookie()
}

function respond(
  res: ServerResponse,
  status: number,
  text: string,
  headers: Record<string, string | string[]> = {},
): void {
  res.writeHead(status, {
    ...{ 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' },
    ...{ 'Content-Type': 'text/plain; charset=utf-8', ...headers },
  })
  res.end(text)
}
