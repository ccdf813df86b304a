import type { SecretBox } from '../../external/keys/secretBox.ts'
import type { IdentityProvider } from '../../external/outbound/identityProvider.ts'
import { sealContexts } from '../secrets/sealedValues.ts'

/** A sign-in in progress at a provider, stored encrypted in the browser that started it. */
export type OauthFlow = {
  provider: string
  state: string
  nonce: string
  codeVerifier: string
  /** The session whose account gets the identity; null for a sign-in. */
  link: { userId: string; sessionId: string } | null
  /** Epoch milliseconds. */
  expiresAt: number
}

/** Longer than any value sealed here; longer input is rejected without decryption. */
const SEALED_MAX = 2048

/** Encrypts a flow into the value of a cookie and decrypts it, so that only the service can read or write it. */
export const oauthFlow = {
  seal: (secrets: Pick<SecretBox, 'seal'>, flow: OauthFlow): string =>
    secrets.seal(JSON.stringify(flow), sealContexts.oauthFlow()),

  /** Null for a value that was not sealed here, belongs to another provider, or has expired. */
  open(
    secrets: Pick<SecretBox, 'open'>,
    sealed: string | null,
    { provider, now }: { provider: string; now: number },
  ): OauthFlow | null {
    if (sealed === null || sealed.length > SEALED_MAX) return null
    try {
      const flow = JSON.parse(secrets.open(sealed, sealContexts.oauthFlow())) as OauthFlow
      return flow.provider === provider && flow.expiresAt > now ? flow : null
    } catch {
      return null
    }
  },
} as const

/**
 * The URL to which a provider redirects the browser: on the dashboard's site, because that browser holds the cookie with
 * which the sign-in is compared.
 */
export function redirectUri(appUrl: string, provider: string): string {
  return `${appUrl}/api/auth/oauth/${provider}/callback`
}

/** A provider and its display name. */
type Provider = { name: string; provider: IdentityProvider }

/** The configured providers, by the name in their routes, and the URL of the dashboard. */
export type OauthProviders = {
  byName: ReadonlyMap<string, Provider>
  appUrl: string
  /** Reports an invalid response of a provider, for the log. */
  onFault(fault: { provider: string; fault: string; detail: string }): void
}
