import type { ActivityItem, ActivityOutcome } from '@svc/core/contract/activity.ts'
import type { EndpointStore } from '../../store/endpoints/endpointStore.ts'
import type { ListedRecord } from '../../store/feed/activityStore.ts'
import { toEventView } from './eventView.ts'
import { outcomeOf } from './outcomeOf.ts'
import { purchaseIdOf } from './purchaseIdOf.ts'

export type ShowActivityDeps = { endpoints: Pick<EndpointStore, 'listByOwners'> }

/**
 * Shows records to one party as its activity: masked, each with its purchase, and every endpoint of the viewer under the
 * name that it has now. An endpoint that was discovered before it was claimed otherwise has two names in one list.
 */
export async function showActivity(
  deps: ShowActivityDeps,
  records: readonly ListedRecord[],
  actsFor: ReadonlySet<string>,
): Promise<ActivityItem[]> {
  const names = await readNames(deps, records, actsFor)
  return records.map((record) => {
    const view = toEventView(record, actsFor)
    const { endpointName, counterpartyUrl } = view.eventData
    const named = [names.get(record.endpointId ?? ''), endpointName, counterpartyUrl]
    return {
      ...view,
      purchaseId: purchaseIdOf(record.eventType, view.eventData) ?? record.recordId,
      outcome: outcomeOf(record.eventType, view.eventData),
      endpointName: named.find((name) => typeof name === 'string') ?? null,
      ...(record.standing === undefined
        ? {}
        : { purchaseOutcome: record.standing as ActivityOutcome | null }),
    }
  })
}

/** The present names of the viewer’s endpoints, by internal id. */
async function readNames(
  { endpoints }: ShowActivityDeps,
  records: readonly ListedRecord[],
  actsFor: ReadonlySet<string>,
): Promise<Map<string, string>> {
  const own = records.filter(
    ({ counterpartyOwnerId }) => counterpartyOwnerId !== null && actsFor.has(counterpartyOwnerId),
  )
  const ids = [...new Set(own.flatMap(({ endpointId }) => endpointId ?? []))]
  if (ids.length === 0) return new Map()
  const wanted = { discovered: true, archived: true }
  const page = { limit: ids.length, before: null }
  const { items } = await endpoints.listByOwners([...actsFor], wanted, page, ids)
  return new Map(items.map(({ id, name }) => [id, name]))
}
