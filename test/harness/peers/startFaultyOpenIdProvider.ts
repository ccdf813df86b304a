import { createHash } from 'node:crypto'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { listen } from './listen.ts'

/** How the next token differs from a valid one. */
export type TokenFault = {
  claims?: Record<string, unknown>
  isForged?: boolean
  wasWeeksAgo?: boolean
  body?: string
}

/** Starts an OpenID provider whose tokens have whatever fault the test chooses; it does not check who signs in. */
export async function startFaultyOpenIdProvider(clientId: string) {
  const [own, other] = [await generateKeyPair('RS256'), await generateKeyPair('RS256')]
  const key = { ...(await exportJWK(own.publicKey)), kid: 'k', alg: 'RS256', use: 'sig' }
  const asked = new Map<string, { nonce: string; challenge: string }>()
  const lie: { next: TokenFault } = { next: {} }

  const idToken = async (nonce: string) => {
    const now = Math.floor(Date.now() / 1000) - (lie.next.wasWeeksAgo ? 14 * 86_400 : 0)
    const claims = { email: 'eve@gmail.com', email_verified: true, nonce, ...lie.next.claims }
    return new SignJWT({ iss: server.url, aud: clientId, sub: 'eve', iat: now, exp: now + 300, ...claims })
      .setProtectedHeader({ alg: 'RS256', kid: 'k' })
      .sign(lie.next.isForged ? other.privateKey : own.privateKey)
  }

  const server = await listen(async (req, res) => {
    const url = new URL(req.url ?? '', server.url)
    const json = (value: object) => {
      res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value))
    }
    switch (url.pathname) {
      case '/.well-known/openid-configuration':
        return json({
          issuer: server.url,
          authorization_endpoint: `${server.url}/auth`,
          token_endpoint: `${server.url}/token`,
          jwks_uri: `${server.url}/jwks`,
        })
      case '/jwks':
        return json({ keys: [key] })
      case '/auth': {
        const {
          redirect_uri = '',
          state = '',
          nonce = '',
          code_challenge: challenge = '',
        } = Object.fromEntries(url.searchParams)
        const code = `code${asked.size}`
        asked.set(code, { nonce, challenge })
        return res.writeHead(302, { location: `${redirect_uri}?code=${code}&state=${state}` }).end()
      }
      default: {
        let text = ''
        for await (const chunk of req) text += chunk
        const body = new URLSearchParams(text)
        const flow = asked.get(body.get('code') ?? '')
        const verifier = createHash('sha256')
          .update(body.get('code_verifier') ?? '')
          .digest('base64url')
        if (flow?.challenge !== verifier) return res.writeHead(400).end()
        if (lie.next.body !== undefined) {
          return res.writeHead(200, { 'content-type': 'application/json' }).end(lie.next.body)
        }
        return json({ access_token: 'a', token_type: 'Bearer', id_token: await idToken(flow.nonce) })
      }
    }
  })
  return { issuer: server.url, lie, stop: server.stop }
}
