import type { ApiKey } from '@svc/core/contract/accounts.ts'
import { sha256Hex } from '@svc/core/hash.ts'
import { generateApiKey } from '@svc/core/ids/secrets.ts'
import { generateUuidV7 } from '@svc/core/ids/uuids.ts'
import { isWritingRole } from '@svc/core/memberRole.ts'
import { apiError } from '../../../errors.ts'
import type { ApiKeyStore } from '../../../store/accounts/apiKeyStore.ts'
import type { Membership, OrganizationStore } from '../../../store/accounts/organizationStore.ts'
import type { Db } from '../../../store/database/database.ts'
import type { SessionPrincipal } from '../../principal.ts'
import { refuseSuspendedOrganization } from '../../requireWriter.ts'
import { type RequireLiveSessionDeps, requireLiveSession } from '../requireLiveSession.ts'
import { toApiKeyView } from './listApiKeys.ts'

export type CreateApiKeyDeps = RequireLiveSessionDeps & {
  apiKeys: ApiKeyStore
  organizations: OrganizationStore
  transaction: Db['transaction']
  randomBytes: (length: number) => Uint8Array
}

export type CreateApiKeyInput = {
  principal: SessionPrincipal
  name: string
  /** The organisation that the key belongs to; null for a personal key. */
  organizationId: string | null
  now: number
}

const LIVE_KEYS_MAX = 100

/**
 * Creates an API key and returns it for the only time.
 *
 * @throws ApiError NOT_FOUND for an organisation in which the caller is not active, FORBIDDEN for a viewer,
 * ORGANIZATION_SUSPENDED, INVALID_STATE. Source: `Spec: Authentication` 5.
 */
export async function createApiKey(
  deps: CreateApiKeyDeps,
  input: CreateApiKeyInput,
): Promise<ApiKey & { key: string }> {
  const { name, organizationId, now } = input
  const { userId } = input.principal
  const key = generateApiKey(deps.randomBytes(64))
  const stored = {
    id: generateUuidV7(now, deps.randomBytes(10)),
    keyHash: sha256Hex(key),
    lastFour: key.slice(-4),
    name,
    userId,
    organizationId,
    createdAt: now,
    revokedAt: null,
  }
  return deps.transaction(
    async (trx) => {
      await requireLiveSession(deps, trx, input.principal)
      if (organizationId !== null) {
        refuseSuspendedOrganization(input.principal, organizationId)
        requireKeyHolder(await deps.organizations.membershipsOf(userId, trx), organizationId)
      }
      if ((await deps.apiKeys.countLive(trx, userId)) >= LIVE_KEYS_MAX) {
        throw apiError('INVALID_STATE', { message: `An account has at most ${LIVE_KEYS_MAX} API keys.` })
      }
      await deps.apiKeys.insert(trx, stored)
      return { ...toApiKeyView(stored), key }
    },
    [`account ${userId}`, ...(organizationId === null ? [] : [`organization ${organizationId}` as const])],
  )
}

/**
 * Requires that the user may create API keys of the organisation. A viewer may not, because a key registers endpoints: the
 * keys of a member who becomes a viewer are inactive until the role changes back.
 */
function requireKeyHolder(memberships: readonly Membership[], organizationId: string): void {
  const membership = memberships.find((one) => one.organizationId === organizationId)
  if (membership?.status !== 'active') throw apiError('NOT_FOUND')
  if (!isWritingRole(membership.role)) throw apiError('FORBIDDEN')
}
