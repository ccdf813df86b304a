import { useDebouncedValue } from '@mantine/hooks'
import { useRef } from 'react'
import { useApiQuery } from '../api/useApiQuery.ts'
import { listPlaces } from '../shell/places.ts'
import { describeFinding as describe, type Finding } from './describeFinding.ts'
import { findRefusal } from './findRefusal.ts'
import { readIdentifier } from './readIdentifier.ts'
import { useDocs } from './useDocs.ts'
import { useHappenings } from './useHappenings.ts'
import { useIdentified } from './useIdentified.ts'

/** How long the keys have to rest before the service is asked again, which limits the requests of an account. */
const REST_MS = 250
const SHOWN_MAX = 6

const MORE_PAGES: readonly Finding[] = [
  { to: '/agents/register', name: 'Register an agent', about: 'Page', icon: 'plus' },
  { to: '/agents/adopt', name: 'Adopt an agent of another registry', about: 'Page', icon: 'plus' },
  { to: '/endpoints/register', name: 'Register an endpoint', about: 'Page', icon: 'plus' },
  { to: '/account', name: 'Account and passkeys', about: 'Page', icon: 'person' },
  { to: '/kyd', name: 'Your identity', about: 'Page', icon: 'shield' },
]

/**
 * Finds pages, agents, endpoints, organisations, keys, pending requests, events and pages of the documentation by part of
 * their name, and whatever a pasted identifier belongs to.
 *
 * Agents and endpoints are asked for from the first key on, events only once the keys rest.
 *
 * @returns What was found, best first, that of the documentation apart, whether more may come, and why the service refused
 * to search.
 */
export function useFindings(
  typed: string,
  isOperator: boolean,
): { findings: Finding[]; docs: Finding[]; isSearching: boolean; refusal: string | null } {
  const text = typed.trim()
  const [search] = useDebouncedValue(text, REST_MS, { leading: true })
  const [rested] = useDebouncedValue(text, REST_MS)
  const byIdentifier = useIdentified(search, isOperator)
  const isName = mayBeName(search)
  const options = { query: { search, limit: SHOWN_MAX }, enabled: isName, isFleeting: true }
  const agents = useFormerItems(useApiQuery('GET /api/agents', options), search === text)
  const endpoints = useFormerItems(useApiQuery('GET /api/endpoints', options), search === text)
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
  const happenings = useHappenings({ text, asked: rested }, mayBeName(rested))
  const docs = useDocs(text, text.length > 1)
  const isSearching =
    [search, rested].some((asked) => asked !== text) ||
    [agents, endpoints, happenings, docs, byIdentifier].some(({ isFetching }) => isFetching)
  return {
    findings: [
      ...(search === text ? byIdentifier.findings : []),
      ...pages.filter(({ name }) => isIn(name)),
      ...(isName ? [...named, ...happenings.findings] : []),
    ],
    docs: docs.findings,
    isSearching: isSearching && text !== '',
    refusal: findRefusal([agents, endpoints, happenings, byIdentifier])?.message ?? null,
  }
}

/** Whether names are searched for a text; a number may be part of a name, too. */
function mayBeName(text: string): boolean {
  const { of = 'index' } = readIdentifier(text) ?? {}
  return text.length > 1 && of === 'index'
}

/**
 * The items of a search, and until they have arrived those of the search before, so that what still fits stays.
 *
 * `isLatest` is false for the former ones, and as long as more has been typed than the service was asked for: it has not
 * compared those with the text.
 */
function useFormerItems<Item>(
  query: { data?: { items: Item[] } | undefined; isFetching: boolean; error: unknown },
  isAsked: boolean,
) {
  const { data, isFetching, error } = query
  const former = useRef<Item[]>([])
  if (data) former.current = data.items
  return { items: former.current, isLatest: isAsked && data !== undefined, isFetching, error }
}
