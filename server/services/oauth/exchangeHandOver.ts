import type { Session as SessionGrant } from '@svc/core/contract/accounts.ts'
import { sha256Hex } from '@svc/core/hash.ts'
import { apiError } from '../../errors.ts'
import type { LinkedIdentityStore } from '../../store/accounts/linkedIdentityStore.ts'
import type { SessionClient } from '../../store/accounts/sessionStore.ts'
import type { UserStore } from '../../store/accounts/userStore.ts'
import type { Db } from '../../store/database/database.ts'
import { type CodeRequired, type PassFirstFactorDeps, passFirstFactor } from '../signIn/passFirstFactor.ts'

export type ExchangeHandOverDeps = {
  identities: Pick<LinkedIdentityStore, 'takeHandOver' | 'byId'>
  users: Pick<UserStore, 'byId'>
  firstFactor: PassFirstFactorDeps
  transaction: Db['transaction']
}

export type ExchangeHandOverInput = {
  code: string
  /** The cookie of the browser; null without one. */
  binding: string | null
  client: SessionClient
  now: number
}

/** The identity was confirmed by a third party. RFC 8176 has no value for that; `fed` is in common use. */
const AMR = ['fed']

/**
 * Exchanges the code in the page's URL for a session, once and within a minute, or asks for the second factor.
 *
 * The code works only in the browser that signed in: a link with another person's code would sign its reader in to that
 * person's account, where the reader would then enter secrets.
 *
 * @throws ApiError INVALID_TOKEN, UNAUTHENTICATED if the identity was unlinked meanwhile.
 */
export async function exchangeHandOver(
  deps: ExchangeHandOverDeps,
  { code, binding, client, now }: ExchangeHandOverInput,
): Promise<SessionGrant | CodeRequired> {
  const found = await deps.transaction(async (trx) => {
    const id = await deps.identities.takeHandOver(trx, sha256Hex(`${code}.${binding}`), now)
    const identity = id === null ? null : await deps.identities.byId(trx, id)
    const user = identity && (await deps.users.byId(identity.userId, trx))
    return identity && user ? { identity, user } : null
  })
  if (!found) {
    throw apiError('INVALID_TOKEN', { message: 'The sign-in was already used or has expired; start again.' })
  }
  const { identity, user } = found
  return passFirstFactor(deps.firstFactor, {
    user,
    amr: AMR,
    client,
    now,
    isStillGood: async (trx) => (await deps.identities.byId(trx, identity.id)) !== null,
  })
}
