import type { IdentityProvider } from '../../external/identityProvider.ts'
import type { SecretBox } from '../../external/secretBox.ts'

/** A sign-in that has left for the provider; it lies sealed in the browser that has begun it. */
export type OauthFlow = {
  provider: string
  state: string
  nonce: string
  codeVerifier: string
  /** The session whose account gets the identity; null where somebody signs in. */
  link: { userId: string; sessionId: string } | null
  /** Epoch milliseconds. */
  expiresAt: number
}

const CONTEXT = 'oauth sign-in'
/** Longer than any that was sealed here; what a browser sends is not opened beyond it. */
const SEALED_MAX = 2048

/** Puts a flow into the cookie's value and takes it out again, for nobody but the service to read or write. */
export const oauthFlow = {
  seal: (secrets: Pick<SecretBox, 'seal'>, flow: OauthFlow): string =>
    secrets.seal(JSON.stringify(flow), CONTEXT),

  /** Null for what was not sealed here, or is of another provider, or has expired. */
  open(
    secrets: Pick<SecretBox, 'open'>,
    sealed: string | null,
    { provider, now }: { provider: string; now: number },
  ): OauthFlow | null {
    if (sealed === null || sealed.length > SEALED_MAX) return null
    try {
      const flow = JSON.parse(secrets.open(sealed, CONTEXT)) as OauthFlow
      return flow.provider === provider && flow.expiresAt > now ? flow : null
    } catch {
      return null
    }
  },
} as const

/**
 * Where a provider sends the browser back to: an address of the dashboard's site, because the browser that began there
 * holds what the sign-in is compared with.
 */
export function redirectUri(appUrl: string, provider: string): string {
  return `${appUrl}/api/auth/oauth/${provider}/callback`
}

/** A provider, and what people call it. */
type Provider = { name: string; provider: IdentityProvider }

/** The providers that are configured, by the name in their routes, and where the dashboard is. */
export type OauthProviders = {
  byName: ReadonlyMap<string, Provider>
  appUrl: string
  /** Told what a provider answered wrongly, for the log. */
  onFault(fault: { provider: string; fault: string; detail: string }): void
}
