import Provider from 'oidc-provider'
import { listen } from './listen.ts'

/** What is said of a person beyond the name they sign in with, which is their subject. */
export type ToldClaims = Record<string, unknown>

const CLIENT = { client_id: 'registry', client_secret: 'a secret of this test alone, of many bytes' }

/**
 * A real OpenID provider on a port of its own, where people sign in with a form and any password.
 *
 * @param people What the provider says of each; whoever is not in it has no account there.
 */
export async function startOpenIdProvider(people: Record<string, ToldClaims>) {
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
    /** Starts it, for a client at that address. */
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
        cookies: { keys: ['a key of this test alone'] },
        ttl: { Interaction: 600, Session: 600, Grant: 600, AccessToken: 600, IdToken: 600 },
      })
      handle = provider.callback()
    },
    /** From now on it answers nothing of use. */
    fail(): void {
      handle = null
    },
    stop: server.stop,
  }
}

export type OpenIdProvider = Awaited<ReturnType<typeof startOpenIdProvider>>
