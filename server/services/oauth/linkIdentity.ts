import { generateUuidV7 } from '@svc/core/ids/uuids.ts'
import type { ProviderIdentity } from '../../external/outbound/identityProvider.ts'
import type { LinkedIdentity, LinkedIdentityStore } from '../../store/accounts/linkedIdentityStore.ts'
import type { User } from '../../store/accounts/userStore.ts'
import { type Post, postMail } from '../mail/postMail.ts'
import type { OauthProviders } from './oauthFlow.ts'

export type LinkIdentityDeps = {
  identities: Pick<LinkedIdentityStore, 'insert' | 'bySubject' | 'ofUser'>
  providers: Pick<OauthProviders, 'byName'>
  post: Post
  randomBytes: (length: number) => Uint8Array
}

export type LinkIdentityInput = {
  user: Pick<User, 'id' | 'email'>
  provider: string
  told: ProviderIdentity
  now: number
  /** Whether the owner is notified by mail: not about the identity with which the account was created. */
  isNotified: boolean
}

const IDENTITIES_MAX = 10

/** Links an identity to an account; an identity that is already linked to it stays as it is. */
export async function linkIdentity(
  deps: LinkIdentityDeps,
  trx: Parameters<LinkedIdentityStore['insert']>[0],
  { user, provider, told, now, isNotified }: LinkIdentityInput,
): Promise<LinkedIdentity | { fault: 'identity_taken' | 'too_many' }> {
  const { issuer, subject, email } = told
  const known = await deps.identities.bySubject(trx, { provider, issuer, subject })
  if (known) return known.userId === user.id ? known : { fault: 'identity_taken' }
  if ((await deps.identities.ofUser(user.id, trx)).length >= IDENTITIES_MAX) return { fault: 'too_many' }
  const identity: LinkedIdentity = {
    id: generateUuidV7(now, deps.randomBytes(10)),
    userId: user.id,
    provider,
    issuer,
    subject,
    email: email === null ? null : email.slice(0, 254),
    linkedAt: now,
  }
  await deps.identities.insert(trx, identity)
  if (isNotified && user.email !== null) {
    await postMail(deps.post, trx, {
      template: 'identity_linked',
      recipient: user.email,
      data: {
        providerName: deps.providers.byName.get(provider)?.name ?? provider,
        link: `${deps.post.appUrl}/account`,
      },
      now,
    })
  }
  return identity
}
