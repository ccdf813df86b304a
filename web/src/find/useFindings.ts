import { useDebouncedValue } from '@mantine/hooks'
import { useApiQuery } from '../api/useApiQuery.ts'
import type { IconName } from '../parts/Icon.tsx'
import { revealText } from '../parts/revealText.ts'
import { listPlaces } from '../shell/places.ts'
import { readIdentifier } from './readIdentifier.ts'

/** Something to go to. */
export type Finding = { to: string; name: string; about: string; icon: IconName }

const DEBOUNCE_MS = 150
const SHOWN_MAX = 6

const MORE_PAGES: readonly Finding[] = [
  { to: '/agents/register', name: 'Register an agent', about: 'Page', icon: 'plus' },
  { to: '/endpoints/register', name: 'Register an endpoint', about: 'Page', icon: 'plus' },
  { to: '/account', name: 'Account and passkeys', about: 'Page', icon: 'person' },
  { to: '/kyd', name: 'Your identity', about: 'Page', icon: 'shield' },
]

/**
 * Finds pages, agents, endpoints, organisations and keys by part of their name, and whatever a pasted identifier belongs to.
 *
 * @returns What was found, best first, and whether more may come.
 */
export function useFindings(
  typed: string,
  isOperator: boolean,
): { findings: Finding[]; isSearching: boolean } {
  const text = typed.trim()
  const [search] = useDebouncedValue(text, DEBOUNCE_MS)
  const byIdentifier = useIdentified(search)
  const isName = search.length > 1 && readIdentifier(search) === null
  const query = { search, limit: SHOWN_MAX }
  const agents = useApiQuery('GET /api/agents', { query, enabled: isName })
  const endpoints = useApiQuery('GET /api/endpoints', { query, enabled: isName })
  const organisations = useApiQuery('GET /api/organizations', { query: { limit: 100 }, enabled: isName })
  const keys = useApiQuery('GET /api/api-keys', { query: { limit: 100 }, enabled: isName })
  const isIn = (name: string) => name.toLowerCase().includes(text.toLowerCase())
  const named: Finding[] = [
    ...(agents.data?.items ?? []).map(({ svcId, name }) => describe('agent', svcId, name)),
    ...(endpoints.data?.items ?? []).map(({ svceId, id, name }) => describe('endpoint', svceId ?? id, name)),
    ...(organisations.data?.items ?? [])
      .filter(({ name }) => isIn(name))
      .map(({ organizationId, name }) => describe('organisation', organizationId, name)),
    ...(keys.data?.items ?? [])
      .filter(({ name }) => isIn(name))
      .map(({ id, name }): Finding => ({ to: `/api-keys#${id}`, name, about: 'API key', icon: 'keys' })),
  ]
  const places = listPlaces(null, isOperator).flatMap((group) => group.places)
  const pages = [...places.map(({ to, name, icon }) => ({ to, name, about: 'Page', icon })), ...MORE_PAGES]
  const isSearching = search !== text || [agents, endpoints].some(({ isFetching }) => isFetching)
  return {
    findings: [...byIdentifier, ...pages.filter(({ name }) => isIn(name)), ...(isName ? named : [])],
    isSearching: isSearching && text !== '',
  }
}

const KINDS = {
  agent: { path: '/agents', about: 'Agent', icon: 'agents' },
  endpoint: { path: '/endpoints', about: 'Endpoint', icon: 'endpoints' },
  organisation: { path: '/organisations', about: 'Organisation', icon: 'organisations' },
} as const

function describe(kind: keyof typeof KINDS, id: string, name: string): Finding {
  const { path, about, icon } = KINDS[kind]
  return { to: `${path}/${id}`, name: revealText(name), about, icon }
}

/** A UUID does not say what it is of, so the service is asked for each. */
function useIdentified(search: string): Finding[] {
  const identifier = readIdentifier(search)
  const id = identifier?.id ?? ''
  const isUuid = identifier?.of === 'uuid'
  const record = useApiQuery('GET /api/audit/records/:id', { params: { id }, enabled: isUuid })
  const approval = useApiQuery('GET /api/step-up-approvals/:approvalId', {
    params: { approvalId: id },
    enabled: isUuid,
  })
  const endpoint = useApiQuery('GET /api/endpoints/:id', { params: { id }, enabled: isUuid })
  if (identifier === null) return []
  if (identifier.of !== 'uuid') return [describe(identifier.of, id, id)]
  return [
    ...(record.data
      ? [{ to: `/activity/${id}`, name: id, about: 'Audit record', icon: 'audit' } as const]
      : []),
    ...(approval.data
      ? [
          {
            to: `/activity/pending/${id}`,
            name: id,
            about: 'Request for approval',
            icon: 'approvals',
          } as const,
        ]
      : []),
    ...(endpoint.data ? [describe('endpoint', id, endpoint.data.endpoint.name)] : []),
  ]
}
