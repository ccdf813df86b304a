import { sha256Hex } from '@svc/core/hash.ts'
import { apiError } from '../../errors.ts'
import type { SecretBox } from '../../external/keys/secretBox.ts'
import type { PasskeyStore } from '../../store/accounts/passkeyStore.ts'
import type { ChallengeStore } from '../../store/agents/challengeStore.ts'
import type { Db } from '../../store/database/database.ts'
import type { SessionPrincipal } from '../principal.ts'
import { requireFreshProof } from '../requireFreshProof.ts'
import { type OauthProviders, oauthFlow, redirectUri } from './oauthFlow.ts'

export type StartOauthDeps = {
  providers: OauthProviders
  secrets: Pick<SecretBox, 'seal'>
  challenges: Pick<ChallengeStore, 'insert'>
  passkeys: Pick<PasskeyStore, 'ofUser'>
  transaction: Db['transaction']
  randomBytes: (length: number) => Uint8Array
}

export type StartOauthInput = {
  provider: string
  /** The user who links an identity; null for a sign-in. */
  principal: SessionPrincipal | null
  now: number
}

/** The URL to visit and the cookie until the return; `url` is null if the provider is unreachable. */
export type StartedOauth = { url: string | null; sealed: string }

const LIFETIME_MS = 10 * 60 * 1000

/**
 * Starts a sign-in at a provider or, in a session, the linking of an identity.
 *
 * An identity opens the account, so linking needs a fresh proof. The state is valid once, for ten minutes.
 *
 * @throws ApiError NOT_FOUND for a provider that is not configured, ELEVATION_REQUIRED. Source: OpenID Connect Core 1.0
 * §3.1.2.1; RFC 7636 §4.
 */
export async function startOauth(deps: StartOauthDeps, input: StartOauthInput): Promise<StartedOauth> {
  const { provider, principal, now } = input
  const { byName, appUrl, onFault } = deps.providers
  const found = byName.get(provider)
  if (!found) throw apiError('NOT_FOUND')
  if (principal) await requireFreshProof(deps, principal, now)
  const random = () => Buffer.from(deps.randomBytes(32)).toString('base64url')
  const secrets = { state: random(), nonce: random(), codeVerifier: random() }
  const url = await found.provider.authorizationUrl(secrets, redirectUri(appUrl, provider))
  if (typeof url !== 'string') {
    onFault({ provider, ...url })
    return { url: null, sealed: '' }
  }
  const expiresAt = now + LIFETIME_MS
  const challenge = { value: sha256Hex(secrets.state), purpose: 'oauth' as const, sessionId: null, expiresAt }
  await deps.transaction((trx) => deps.challenges.insert(trx, challenge, 0, now), [])
  const link = principal && { userId: principal.userId, sessionId: principal.sessionId }
  return { url, sealed: oauthFlow.seal(deps.secrets, { provider, ...secrets, link, expiresAt }) }
}
