import { sha256Hex } from '@svc/core/hash.ts'
import { apiError } from '../../errors.ts'
import type { SecretBox } from '../../external/keys/secretBox.ts'
import type { ProviderIdentity } from '../../external/outbound/identityProvider.ts'
import type { LinkedIdentityStore } from '../../store/accounts/linkedIdentityStore.ts'
import type { SessionStore } from '../../store/accounts/sessionStore.ts'
import type { ChallengeStore } from '../../store/agents/challengeStore.ts'
import type { Db } from '../../store/database/database.ts'
import {
  type AccountOfIdentityDeps,
  type AccountOfIdentityInput,
  accountOfIdentity,
} from './accountOfIdentity.ts'
import { linkIdentity } from './linkIdentity.ts'
import { type OauthFlow, type OauthProviders, oauthFlow, redirectUri } from './oauthFlow.ts'

export type FinishOauthDeps = {
  providers: OauthProviders
  secrets: Pick<SecretBox, 'open'>
  challenges: Pick<ChallengeStore, 'take'>
  sessions: Pick<SessionStore, 'live'>
  account: AccountOfIdentityDeps & { identities: Pick<LinkedIdentityStore, 'insertHandOver'> }
  transaction: Db['transaction']
  /** Called when the inputs of the trust score have changed for an account. */
  onAccountChanged(userId: string): Promise<void>
}

export type FinishOauthInput = {
  provider: string
  /** The query of the redirect from the provider. */
  query: URLSearchParams
  /** The cookie of the browser; null without one. */
  sealed: string | null
  /** Address of the client. */
  ip: string
  now: number
}

/** The result of a sign-in at a provider: a code for the page, a linked identity, or a fault. */
export type FinishedOauth =
  /** `binding` stays in the browser, and the code works only with it. */
  { code: string; binding: string } | { linked: string } | { fault: string }

type Trx = Parameters<Parameters<Db['transaction']>[0]>[0]

const HAND_OVER_MS = 60_000

/**
 * Handles the browser's return from a provider: checks that this browser started the sign-in, identifies the user, and
 * signs in or links the identity.
 *
 * Every failure becomes a result that the page can explain, because a person is looking at it.
 *
 * @throws ApiError NOT_FOUND for a provider that is not configured, RATE_LIMITED. Source: OpenID Connect Core 1.0
 * §3.1.2.5–3.1.3.7.
 */
export async function finishOauth(deps: FinishOauthDeps, input: FinishOauthInput): Promise<FinishedOauth> {
  const { provider, query, ip, now } = input
  const { byName, appUrl, onFault } = deps.providers
  const found = byName.get(provider)
  if (!found) throw apiError('NOT_FOUND')
  const flow = await takeFlow(deps, input)
  if (!flow) return { fault: 'state_mismatch' }
  const cameBackTo = new URL(`${redirectUri(appUrl, provider)}?${query}`)
  const told = await found.provider.redeemCode(flow, cameBackTo)
  if ('fault' in told) {
    onFault({ provider, ...told })
    return { fault: told.fault }
  }
  const end = await deps.transaction((trx) =>
    flow.link
      ? link(deps, trx, { provider, told, now, link: flow.link })
      : signIn(deps, trx, { provider, told, ip, now }),
  )
  deps.account.post.wake()
  const { changed, ...finished } = end
  if (changed !== null) await deps.onAccountChanged(changed)
  return finished
}

/** The flow that this browser began and that has not come back before. */
async function takeFlow(deps: FinishOauthDeps, input: FinishOauthInput): Promise<OauthFlow | null> {
  const { query, sealed, now } = input
  const flow = oauthFlow.open(deps.secrets, sealed, input)
  const state = query.get('state')
  // Hashes are compared, so that the time it takes tells nothing of the state.
  if (!flow || state === null || sha256Hex(state) !== sha256Hex(flow.state)) return null
  const challenge = { value: sha256Hex(state), purpose: 'oauth' as const, sessionId: null }
  const taken = await deps.transaction((trx) => deps.challenges.take(trx, challenge, now))
  return taken === null ? null : flow
}

type Told = { provider: string; told: ProviderIdentity; now: number }
type End = FinishedOauth & { changed: string | null }

async function signIn({ account }: FinishOauthDeps, trx: Trx, input: AccountOfIdentityInput): Promise<End> {
  const { now } = input
  const signedIn = await accountOfIdentity(account, trx, input)
  if ('fault' in signedIn) return { fault: signedIn.fault, changed: null }
  const random = () => Buffer.from(account.randomBytes(32)).toString('base64url')
  const [code, binding] = [random(), random()]
  const codeHash = sha256Hex(`${code}.${binding}`)
  const handOver = { codeHash, identityId: signedIn.identity.id, expiresAt: now + HAND_OVER_MS }
  await account.identities.insertHandOver(trx, handOver, now)
  return { code, binding, changed: signedIn.changed }
}

async function link(
  { account, sessions }: FinishOauthDeps,
  trx: Trx,
  { link: owner, ...input }: Told & { link: NonNullable<OauthFlow['link']> },
): Promise<End> {
  const user = await account.users.byId(owner.userId, trx)
  if (!user || !(await sessions.live(owner.sessionId, trx))) return { fault: 'session_ended', changed: null }
  const linked = await linkIdentity(account, trx, { ...input, user, isNotified: true })
  return 'fault' in linked
    ? { fault: linked.fault, changed: null }
    : { linked: input.provider, changed: user.id }
}
