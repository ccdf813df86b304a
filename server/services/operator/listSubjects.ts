import type {
  ListedAccount,
  ListedEndpoint,
  ListedOrganization,
  ListedPlatform,
  StandingIntervention,
} from '@svc/core/contract/interventions.ts'
import { deriveProvisionalAgentIdentifier } from '@svc/core/ids/derivedIdentifiers.ts'
import type { Platform } from '@svc/core/platforms/platform.ts'
import type { Intervention, InterventionStore } from '../../store/operator/interventionStore.ts'
import type { OperatorListStore } from '../../store/operator/operatorListStore.ts'
import { type ListPart, type ListRequest, listPage } from '../accounts/listPage.ts'
import type { SessionPrincipal } from '../principal.ts'

type Filter<Status> = {
  /** An identifier, or the beginning of a name, an e-mail address or a host. */
  search: string | undefined
  status: Status | undefined
}

type NumberedPage = { limit: number; before: number | null }

type ListDeps = { lists: OperatorListStore }

/** Lists accounts to an operator, newest first. */
export async function listAccounts(
  { lists }: ListDeps,
  input: ListRequest & Filter<'active' | 'suspended'> & { principal: SessionPrincipal },
): Promise<ListPart<ListedAccount>> {
  const part = await listPage(
    input,
    (page) => lists.accounts(input, page),
    ({ createdAt, id }) => ({ at: createdAt, id }),
  )
  const items = part.items.map(
    ({ id, developerId, email, fullName, role, kydVerifiedAt, createdAt, intervention }) => ({
      ...{ developerId, email, fullName, role },
      kydStatus: kydVerifiedAt === null ? ('none' as const) : ('verified' as const),
      createdAt: new Date(createdAt).toISOString(),
      status: standingOf(intervention),
      intervention: toInterventionView(intervention),
      isOwn: id === input.principal.userId,
    }),
  )
  return { ...part, items }
}

/** Lists organisations to an operator, newest first. */
export async function listAllOrganizations(
  { lists }: ListDeps,
  input: ListRequest & Filter<'active' | 'suspended'> & { principal: SessionPrincipal },
): Promise<ListPart<ListedOrganization>> {
  const part = await listPage(
    input,
    (page) => lists.organizations(input, page),
    ({ createdAt, id }) => ({ at: createdAt, id }),
  )
  const items = part.items.map(({ id, name, createdBy, memberCount, createdAt, intervention }) => ({
    ...{ organizationId: id, name, createdBy, memberCount },
    createdAt: new Date(createdAt).toISOString(),
    status: standingOf(intervention),
    intervention: toInterventionView(intervention),
    isOwn: input.principal.actsFor.has(id),
  }))
  return { ...part, items }
}

/** Lists claimed endpoints to an operator, newest first. A URL is searched by its host. */
export async function listAllEndpoints(
  { lists }: ListDeps,
  {
    search,
    status,
    page,
    principal,
  }: Filter<ListedEndpoint['status']> & {
    page: NumberedPage
    principal: SessionPrincipal
  },
): Promise<{ items: ListedEndpoint[]; nextBefore: number | null }> {
  const host = /^https?:\/\//i.test(search ?? '') ? URL.parse(search ?? '')?.hostname : undefined
  const { items, nextBefore } = await lists.endpoints({ search: host ?? search, status }, page)
  return {
    items: items.map(({ id, svceId, ownerId, name, url, tier, status, createdAt, intervention }) => ({
      ...{ id, svceId, ownerId, name, counterpartyUrl: url, tier, status },
      createdAt: new Date(createdAt).toISOString(),
      intervention: toInterventionView(intervention),
      isOwn: principal.actsFor.has(ownerId),
    })),
    nextBefore,
  }
}

export type ListPlatformsDeps = {
  platforms: readonly Platform[]
  interventions: Pick<InterventionStore, 'among'>
}

/** Lists recognised platforms to an operator, in the order of their file, which is short. */
export async function listPlatforms(
  { platforms, interventions }: ListPlatformsDeps,
  { search, status, page }: Filter<ListedPlatform['status']> & { page: NumberedPage },
): Promise<{ items: ListedPlatform[]; nextBefore: number | null }> {
  const wanted = (search ?? '').toLowerCase()
  const svcIds = platforms.map(({ id }) => deriveProvisionalAgentIdentifier(id))
  const found = await interventions.among(svcIds)
  const rest = platforms
    // Counted from the end, because a list continues below the position of its last item.
    .map((platform, nth) => ({
      position: platforms.length - nth,
      ...toPlatformView(platform, svcIds[nth] ?? '', found),
    }))
    .filter((view) => status === undefined || view.status === status)
    .filter(({ id, name, operator, svcId }) =>
      [id, name, operator, svcId].some((text) => text.toLowerCase().includes(wanted)),
    )
    .filter(({ position }) => page.before === null || position < page.before)
  const shown = rest.slice(0, page.limit)
  const last = rest.length > page.limit ? shown.at(-1) : undefined
  return { items: shown.map(({ position: _, ...view }) => view), nextBefore: last?.position ?? null }
}

function toPlatformView(
  { id, name, operator }: Platform,
  svcId: string,
  found: ReadonlyMap<string, Intervention>,
): ListedPlatform {
  const intervention = found.get(svcId) ?? null
  const status = intervention === null ? 'recognised' : 'withdrawn'
  return { id, name, operator, svcId, status, intervention: toInterventionView(intervention) }
}

type StoredIntervention = Omit<Intervention, 'subjectId'> | null

function standingOf(intervention: StoredIntervention): 'active' | 'suspended' {
  return intervention === null ? 'active' : 'suspended'
}

function toInterventionView(intervention: StoredIntervention): StandingIntervention | null {
  if (intervention === null) return null
  const { reason, decidedBy, decidedAt } = intervention
  return { reason, decidedBy, decidedAt: new Date(decidedAt).toISOString() }
}
