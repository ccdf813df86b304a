import type { AllowlistEntry } from '@svc/core/access/allowlist.ts'
import { generateUuidV7 } from '@svc/core/ids/uuids.ts'
import { apiError } from '../../errors.ts'
import type { AuditRecordStore } from '../../store/audit/auditRecordStore.ts'
import type { AllowlistRow, AllowlistStore } from '../../store/endpoints/allowlistStore.ts'
import type { EndpointRow, EndpointStore } from '../../store/endpoints/endpointStore.ts'
import type { WriteAs } from '../accounts/writeAs.ts'
import type { Principal } from '../principal.ts'
import type { RegistrySettings } from '../registrySettings.ts'
import { type Expectation, requireExpected } from '../requireExpected.ts'
import { tagSettings } from '../tagSettings.ts'
import { buildEndpointRecord } from './buildEndpointRecord.ts'
import { findOwnEndpoint } from './findOwnEndpoint.ts'

export type ChangeAllowlistDeps = {
  endpoints: EndpointStore
  allowlists: AllowlistStore
  records: AuditRecordStore
  onEndpointChanged(endpoint: EndpointRow): void
  writeAs: WriteAs
  settings: RegistrySettings
}

type Asked = {
  id: string
  principal: Principal
  /** Which entries the caller expects of the owner in question. */
  isExpected: Expectation
  now: number
}

export type AddAllowlistEntryInput = Asked & { entry: AllowlistEntry }

export type RemoveAllowlistEntryInput = Asked & { entryId: string }

/** Maximum entries, because the whole allowlist is compiled into memory. */
const ENTRIES_MAX = 1_000

/**
 * Adds an entry to an endpoint's allowlist, unless the list has it; from the first entry on, external agents must match
 * one.
 *
 * @returns `tag` is that of the entries that the owner then has.
 * @throws ApiError NOT_FOUND, FORBIDDEN, PRECONDITION_FAILED, INVALID_STATE for an archived endpoint or a full list.
 * Source: `Spec: POST /api/endpoints/:id/allowlist`.
 */
export async function addAllowlistEntry(
  deps: ChangeAllowlistDeps,
  { id, principal, entry, isExpected, now }: AddAllowlistEntryInput,
): Promise<{ entry: AllowlistEntryView; isNew: boolean; tag: string }> {
  const endpoint = await findOwnEndpoint(deps.endpoints, { id, principal, toWrite: true })
  const writer = { principal, ownerId: endpoint.ownerId }
  if (endpoint.status === 'archived') throw apiError('INVALID_STATE')
  const { randomBytes } = deps.settings
  const row = { ...entry, id: generateUuidV7(now, randomBytes(10)), endpointId: endpoint.id, createdAt: now }
  const added = await deps.writeAs(writer, [`endpoint ${endpoint.id}`], async (trx) => {
    const stored = await deps.allowlists.ofOwner(trx, endpoint.id, entry.allowedOwnerIdentifier)
    const before = idsOf(stored)
    requireExpected(isExpected, 'allowlistOfOwner', { ids: before })
    const same = stored.find((other) => isSameEntry(other, entry))
    if (same) return { entry: toAllowlistEntryView(same), isNew: false, tag: tagIds(before) }
    if ((await deps.allowlists.count(trx, endpoint.id)) >= ENTRIES_MAX) {
      throw apiError('INVALID_STATE', { message: `An allowlist has at most ${ENTRIES_MAX} entries.` })
    }
    await deps.allowlists.insert(trx, row)
    const view = toAllowlistEntryView(row)
    const details = { allowlistEntry: view }
    const context = { now, randomBytes }
    await deps.records.append(
      trx,
      buildEndpointRecord('endpoint.allowlist_added', endpoint, details, context),
    )
    return { entry: view, isNew: true, tag: tagIds([...before, row.id]) }
  })
  if (added.isNew) deps.onEndpointChanged(endpoint)
  return added
}

/** Whether two entries of one owner admit the same requests; an empty list of purposes is no filter. */
function isSameEntry(a: AllowlistEntry, b: AllowlistEntry): boolean {
  const purposes = (entry: AllowlistEntry) => JSON.stringify([...new Set(entry.allowedPurposes)].toSorted())
  return a.minTrustScore === b.minTrustScore && purposes(a) === purposes(b)
}

/**
 * Removes an entry from an endpoint's allowlist; an empty allowlist does not apply.
 *
 * @returns The tag of the entries that its owner still has: whoever adds it again with that precondition adds it to nothing
 * that somebody else has added since.
 * @throws ApiError NOT_FOUND, FORBIDDEN, PRECONDITION_FAILED.
 */
export async function removeAllowlistEntry(
  deps: ChangeAllowlistDeps,
  { id, principal, entryId, isExpected, now }: RemoveAllowlistEntryInput,
): Promise<{ tag: string }> {
  const endpoint = await findOwnEndpoint(deps.endpoints, { id, principal, toWrite: true })
  const writer = { principal, ownerId: endpoint.ownerId }
  const { randomBytes } = deps.settings
  const tag = await deps.writeAs(writer, [`endpoint ${endpoint.id}`], async (trx) => {
    const owner = await deps.allowlists.ownerOf(trx, endpoint.id, entryId)
    if (owner === null) throw apiError('NOT_FOUND')
    const before = idsOf(await deps.allowlists.ofOwner(trx, endpoint.id, owner))
    requireExpected(isExpected, 'allowlistOfOwner', { ids: before })
    await deps.allowlists.remove(trx, endpoint.id, entryId)
    const details = { allowlistEntryId: entryId }
    const context = { now, randomBytes }
    await deps.records.append(
      trx,
      buildEndpointRecord('endpoint.allowlist_removed', endpoint, details, context),
    )
    return tagIds(before.filter((other) => other !== entryId))
  })
  deps.onEndpointChanged(endpoint)
  return { tag }
}

function idsOf(entries: readonly AllowlistRow[]): string[] {
  return entries.map((entry) => entry.id)
}

function tagIds(ids: readonly string[]): string {
  return tagSettings('allowlistOfOwner', { ids })
}

export type ListAllowlistInput = {
  id: string
  principal: Principal
  page: { limit: number; before: number | null }
}

/** Lists the allowlist of one of the caller's endpoints, newest first. @throws ApiError NOT_FOUND. */
export async function listAllowlist(
  deps: { endpoints: EndpointStore; allowlists: AllowlistStore },
  { id, principal, page }: ListAllowlistInput,
): Promise<{ items: AllowlistEntryView[]; nextBefore: number | null }> {
  const endpoint = await findOwnEndpoint(deps.endpoints, { id, principal })
  const { items, nextBefore } = await deps.allowlists.list(endpoint.id, page)
  return { items: items.map(toAllowlistEntryView), nextBefore }
}

/** An allowlist entry as the endpoint's owner sees it. */
export type AllowlistEntryView = ReturnType<typeof toAllowlistEntryView>

/** Shows an entry, without the filters that it does not set. Source: `Spec: Allowlist entry`. */
function toAllowlistEntryView(entry: AllowlistRow) {
  const { id, allowedOwnerIdentifier, minTrustScore, allowedPurposes, createdAt } = entry
  return {
    id,
    allowedOwnerIdentifier,
    minTrustScore,
    allowedPurposes,
    createdAt: new Date(createdAt).toISOString(),
  }
}
