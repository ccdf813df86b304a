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

/** What one sign-in holds on to between leaving for the provider and coming back; each is 256 random bits as text. */
type OauthSecrets = { state: string; nonce: string; codeVerifier: string }

/** Who signed in at the provider, in its own words. */
export type ToldIdentity = {
  issuer: string
  subject: string
  email: string | null
  fullName: string | null
  /** All that the ID token says. */
  claims: Readonly<Record<string, unknown>>
}

/** Why a provider names nobody; the detail is for the log. */
type ProviderFault = {
  fault: 'access_denied' | 'provider_error' | 'provider_unavailable' | 'identity_rejected'
  detail: string
}

export type IdentityProvider = {
  /** Where the browser goes to sign in; null when the provider cannot be reached. */
  authorizationUrl(secrets: OauthSecrets, redirectUri: string): Promise<string | ProviderFault>
  /** Exchanges the code in the address that the browser came back to, and checks who it names. */
  identityOf(secrets: OauthSecrets, cameBackTo: URL): Promise<ToldIdentity | ProviderFault>
}

/** Tries to read what a provider publishes about itself, and what is waited between them. */
const TRIES = 2
const PAUSE_MS = 250
/** How long that is held to be true. */
const FRESH_MS = 60 * 60 * 1000
/** Seconds that a provider's clock may be off. */
const TOLERANCE_SECONDS = 60

/**
 * A provider of sign-ins by OpenID Connect: code flow with PKCE (S256), state, nonce and a signed ID token.
 *
 * What it publishes is read when somebody first signs in, so that one that is down stops nobody else. The signature of
 * the ID token is checked though it comes straight from the provider. Times in it are judged by the system's clock.
 *
 * Microsoft's issuer of all tenants is a pattern with the tenant in it, which the library fills from the token; that
 * holds for `login.microsoftonline.com` alone.
 *
 * Source: OpenID Connect Core 1.0 §3.1, Discovery 1.0 §4; RFC 7636; RFC 9207.
 */
export function createIdentityProvider(
  settings: IdentityProviderSettings,
  outgoing: CustomFetch,
): IdentityProvider {
  let known: { config: Configuration; readAt: number } | null = null
  let reading: Promise<Configuration> | null = null

  const configuration = async (): Promise<Configuration> => {
    if (known && performance.now() - known.readAt < FRESH_MS) return known.config
    reading ??= discovered(settings, outgoing).finally(() => {
      reading = null
    })
    const config = await reading
    known = { config, readAt: performance.now() }
    return config
  }

  return {
    async authorizationUrl({ state, nonce, codeVerifier }, redirectUri) {
      try {
        const config = await configuration()
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

    async identityOf({ state, nonce, codeVerifier }, cameBackTo) {
      try {
        const answer = await authorizationCodeGrant(await configuration(), cameBackTo, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: codeVerifier,
          idTokenExpected: true,
        })
        const claims = answer.claims()
        if (!claims) return { fault: 'identity_rejected', detail: 'there is no ID token' }
        const { iss, sub, email, name } = claims
        return { issuer: iss, subject: sub, email: textOf(email), fullName: textOf(name), claims }
      } catch (error) {
        return faultOf(error)
      }
    },
  }
}

async function discovered(settings: IdentityProviderSettings, outgoing: CustomFetch): Promise<Configuration> {
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

/** Codes of the library for answers that were read and do not hold. */
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
