import {
  AuthorizationResponseError,
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  ClientError,
  type Configuration,
  type CustomFetch,
  calculatePKCECodeChallenge,
  clockTolerance,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  ResponseBodyError,
} from 'openid-client'

export type IdentityProviderSettings = { issuer: string; clientId: string; clientSecret: string }

/** The values of one sign-in that must survive the visit to the provider; each is 256 random bits as text. */
type OauthSecrets = { state: string; nonce: string; codeVerifier: string }

/** The user who signed in, as stated by the provider. */
export type ProviderIdentity = {
  issuer: string
  subject: string
  email: string | null
  fullName: string | null
  /** All claims of the ID token. */
  claims: Readonly<Record<string, unknown>>
}

/** Why a provider identified no user; `detail` is for the log. */
type ProviderFault = {
  fault: 'access_denied' | 'provider_error' | 'provider_unavailable' | 'identity_rejected'
  detail: string
}

export type IdentityProvider = {
  /** Builds the URL where the browser signs in, or returns a fault if the provider is unreachable. */
  authorizationUrl(secrets: OauthSecrets, redirectUri: string): Promise<string | ProviderFault>
  /** Exchanges the code in the callback URL and verifies the ID token. */
  redeemCode(secrets: OauthSecrets, callbackUrl: URL): Promise<ProviderIdentity | ProviderFault>
}

/** Attempts to fetch a provider's metadata, and the pause between them. */
const TRIES = 2
const PAUSE_MS = 250
/** How long the metadata is cached. */
const FRESH_MS = 60 * 60 * 1000
/** Tolerated difference from a provider's clock. */
const TOLERANCE_SECONDS = 60

/**
 * Creates a client of an OpenID Connect provider: code flow with PKCE (S256), state, nonce and a signed ID token.
 *
 * The provider's metadata is fetched at the first sign-in, so an unreachable provider affects only its own users. The ID
 * token's signature is verified even though the token comes directly from the provider. Its times are compared with the
 * system clock.
 *
 * Microsoft's issuer for all tenants is a template, which the library fills in with the token's tenant, but only for
 * `login.microsoftonline.com`.
 *
 * Source: OpenID Connect Core 1.0 §3.1, Discovery 1.0 §4; RFC 7636; RFC 9207.
 */
export function createIdentityProvider(
  settings: IdentityProviderSettings,
  outgoing: CustomFetch,
): IdentityProvider {
  let known: { config: Configuration; readAt: number } | null = null
  let reading: Promise<Configuration> | null = null

  const loadConfiguration = async (): Promise<Configuration> => {
    if (known && performance.now() - known.readAt < FRESH_MS) return known.config
    reading ??= discover(settings, outgoing).finally(() => {
      reading = null
    })
    const config = await reading
    known = { config, readAt: performance.now() }
    return config
  }

  return {
    async authorizationUrl({ state, nonce, codeVerifier }, redirectUri) {
      try {
        const config = await loadConfiguration()
        const url = buildAuthorizationUrl(config, {
          redirect_uri: redirectUri,
          scope: 'openid email profile',
          state,
          nonce,
          code_challenge: await calculatePKCECodeChallenge(codeVerifier),
          code_challenge_method: 'S256',
        })
        return url.href
      } catch (error) {
        return faultOf(error)
      }
    },

    async redeemCode({ state, nonce, codeVerifier }, callbackUrl) {
      try {
        const answer = await authorizationCodeGrant(await loadConfiguration(), callbackUrl, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: codeVerifier,
          idTokenExpected: true,
        })
        const claims = answer.claims()
        if (!claims) return { fault: 'identity_rejected', detail: 'the response has no ID token' }
        const { iss, sub, email, name } = claims
        return { issuer: iss, subject: sub, email: textOf(email), fullName: textOf(name), claims }
      } catch (error) {
        return faultOf(error)
      }
    },
  }
}

async function discover(settings: IdentityProviderSettings, outgoing: CustomFetch): Promise<Configuration> {
  const server = new URL(settings.issuer)
  const execute = [
    enableNonRepudiationChecks,
    ...(server.protocol === 'http:' ? [allowInsecureRequests] : []),
  ]
  const metadata = { client_secret: settings.clientSecret, [clockTolerance]: TOLERANCE_SECONDS }
  for (let tries = 1; ; tries += 1) {
    try {
      return await discovery(server, settings.clientId, metadata, undefined, {
        execute,
        [customFetch]: outgoing,
      })
    } catch (error) {
      if (tries === TRIES) throw error
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS * (0.5 + Math.random())))
    }
  }
}

function textOf(claim: unknown): string | null {
  return typeof claim === 'string' && claim !== '' ? claim : null
}

/** Codes of the library for responses that are invalid. */
const REJECTED = /^OAUTH_(JWT|JSON_ATTRIBUTE|INVALID|PARSE|KEY|MISSING|UNSUPPORTED|DECRYPTION)/

function faultOf(error: unknown): ProviderFault {
  const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : ''
  const detail = `${String(error)}${cause}`
  if (error instanceof AuthorizationResponseError) {
    return { fault: error.error === 'access_denied' ? 'access_denied' : 'provider_error', detail }
  }
  if (error instanceof ResponseBodyError) return { fault: 'identity_rejected', detail }
  const code = error instanceof ClientError ? String(error.code) : ''
  return { fault: REJECTED.test(code) ? 'identity_rejected' : 'provider_unavailable', detail }
}
