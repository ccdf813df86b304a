import { useDebouncedValue } from '@mantine/hooks'
import { useRef } from 'react'
import { ApiFailure } from '../api/apiFailure.ts'
import { useApiQuery } from '../api/useApiQuery.ts'
import { listPlaces } from '../shell/places.ts'
import { describeFinding as describe, type Finding } from './describeFinding.ts'
import { readIdentifier } from './readIdentifier.ts'
import { useDocs } from './useDocs.ts'
import { useHappenings } from './useHappenings.ts'
import { useIdentified } from './useIdentified.ts'

/** The first key asks at once; further ones within this time wait for its end. */
const BURST_MS = 40
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
 * @returns What was found, best first, that of the documentation apart, whether more may come, and why the service did not
 * look.
 */
export function useFindings(
  typed: string,
  isOperator: boolean,
): { findings: Finding[]; docs: Finding[]; isSearching: boolean; refusal: string | null } {
  const text = typed.trim()
  const [search] = useDebouncedValue(text, BURST_MS, { leading: true })
  const byIdentifier = useIdentified(search, isOperator)
  const { of = null } = readIdentifier(search) ?? {}
  // A number may be part of a name, too.
  const isName = search.length > 1 && (of === null || of === 'index')
  const options = { query: { search, limit: SHOWN_MAX }, enabled: isName, isFleeting: true }
  const agents = useFormerItems(useApiQuery('GET /api/agents', options))
  const endpoints = useFormerItems(useApiQuery('GET /api/endpoints', options))
  const organisations = useApiQuery('GET /api/organizations', { query: { limit: 100 }, enabled: isName })
  const keys = useApiQuery('GET /api/api-keys', { query: { limit: 100 }, enabled: isName })
  const isIn = (name: string) => name.toLowerCase().includes(text.toLowerCase())
  const named: Finding[] = [
    ...agents.items
      .filter(({ svcId, name, id = '' }) => agents.isLatest || [name, svcId, id].some(isIn))
      .map(({ svcId, name }) => describe('agent', svcId, name)),
    ...endpoints.items
      .filter(({ svceId, id, name }) => endpoints.isLatest || [name, svceId ?? '', id].some(isIn))
      .map(({ svceId, id, name }) => describe('endpoint', svceId ?? id, name)),
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
    search !== text ||
    [agents, endpoints, happenings, docs, byIdentifier].some(({ isFetching }) => isFetching)
  return {
    findings: [
      ...byIdentifier.findings,
      ...pages.filter(({ name }) => isIn(name)),
      ...(isName ? [...named, ...happenings.findings] : []),
    ],
    docs: docs.findings,
    isSearching: isSearching && text !== '',
    refusal: findRefusal([agents.error, endpoints.error, happenings.error, byIdentifier.error]),
  }
}

/** Why the service did not look; that it has nothing of an id is no refusal. */
function findRefusal(errors: readonly unknown[]): string | null {
  const isRefusal = (error: unknown) =>
    error instanceof ApiFailure && error.status !== 404 && error.status !== 400
  return (errors.find(isRefusal) as ApiFailure | undefined)?.message ?? null
}

/**
 * The items of a search, and until they have arrived those of the search before, so that what still fits stays.
 *
 * `isLatest` is false for the former ones, which the service has not compared with the text.
 */
function useFormerItems<Item>(query: {
  data?: { items: Item[] } | undefined
  isFetching: boolean
  error: unknown
}) {
  const { data, isFetching, error } = query
  const former = useRef<Item[]>([])
  if (data) former.current = data.items
  return { items: former.current, isLatest: data !== undefined, isFetching, error }
}
