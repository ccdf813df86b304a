import Provider from 'oidc-provider'
import { listen } from './listen.ts'

/** Claims about a person in addition to the name they sign in with, which is their subject. */
export type PersonClaims = Record<string, unknown>

const CLIENT = { client_id: 'registry', client_secret: 'a secret of this test only, of many bytes' }

/**
 * Starts a real OpenID provider on its own port, where people sign in with a form and any password.
 *
 * @param people The claims about each person; people not listed have no account there.
 */
export async function startOpenIdProvider(people: Record<string, PersonClaims>) {
  let handle: ReturnType<Provider['callback']> | null = null
  const server = await listen((req, res) => (handle ? handle(req, res) : res.writeHead(503).end()))
  const issuer = server.url.replace('127.0.0.1', 'localhost')
  return {
    issuer,
    settings: (name: 'GOOGLE' | 'MICROSOFT') => ({
      [`OIDC_${name}_ISSUER`]: issuer,
      [`OIDC_${name}_CLIENT_ID`]: CLIENT.client_id,
      [`OIDC_${name}_CLIENT_SECRET`]: CLIENT.client_secret,
    }),
    /** Starts serving a client with this redirect URI. */
    accept(redirectUri: string): void {
      const provider = new Provider(issuer, {
        clients: [
          { ...CLIENT, redirect_uris: [redirectUri], token_endpoint_auth_method: 'client_secret_post' },
        ],
        findAccount: (_ctx, accountId) => {
          const claims = people[accountId]
          return claims && { accountId, claims: () => ({ sub: accountId, ...claims }) }
        },
        claims: {
          openid: ['sub'],
          email: ['email', 'email_verified', 'hd', 'xms_edov', 'tid'],
          profile: ['name'],
        },
        conformIdTokenClaims: false,
        pkce: { required: () => true },
        features: { devInteractions: { enabled: true } },
        cookies: { keys: ['a key of this test only'] },
        ttl: { Interaction: 600, Session: 600, Grant: 600, AccessToken: 600, IdToken: 600 },
      })
      handle = provider.callback()
    },
    /** Makes every further request fail. */
    fail(): void {
      handle = null
    },
    stop: server.stop,
  }
}

export type OpenIdProvider = Awaited<ReturnType<typeof startOpenIdProvider>>
