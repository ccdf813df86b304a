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
