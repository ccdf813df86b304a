import { useDebouncedValue } from '@mantine/hooks'
import { useApiQuery } from '../api/useApiQuery.ts'
import { listPlaces } from '../shell/places.ts'
import { describeFinding as describe, type Finding } from './describeFinding.ts'
import { readIdentifier } from './readIdentifier.ts'
import { useDocs } from './useDocs.ts'
import { useHappenings } from './useHappenings.ts'
import { useIdentified } from './useIdentified.ts'

const DEBOUNCE_MS = 150
const SHOWN_MAX = 6

const MORE_PAGES: readonly Finding[] = [
  { to: '/agents/register', name: 'Register an agent', about: 'Page', icon: 'plus' },
  { to: '/endpoints/register', name: 'Register an endpoint', about: 'Page', icon: 'plus' },
  { to: '/account', name: 'Account and passkeys', about: 'Page', icon: 'person' },
  { to: '/kyd', name: 'Your identity', about: 'Page', icon: 'shield' },
]

/**
 * Finds pages, agents, endpoints, organisations, keys, pending requests, events and pages of the documentation by part of
 * their name, and whatever a pasted identifier belongs to.
 *
 * @returns What was found, best first, that of the documentation apart, and whether more may come.
 */
export function useFindings(
  typed: string,
  isOperator: boolean,
): { findings: Finding[]; docs: Finding[]; isSearching: boolean } {
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
  const happenings = useHappenings(search, isName)
  const docs = useDocs(text, text.length > 1)
  const isSearching =
    search !== text || [agents, endpoints, happenings, docs].some(({ isFetching }) => isFetching)
  return {
    findings: [
      ...byIdentifier,
      ...pages.filter(({ name }) => isIn(name)),
      ...(isName ? [...named, ...happenings.findings] : []),
    ],
    docs: docs.findings,
    isSearching: isSearching && text !== '',
  }
}
