import { useApiQueries, useApiQuery } from '../api/useApiQuery.ts'
import { describeFinding, type Finding } from './describeFinding.ts'
import { findRefusal } from './findRefusal.ts'
import { readIdentifier } from './readIdentifier.ts'
import { useLogs } from './useLogs.ts'
import { useOnChain } from './useOnChain.ts'
import { useUuid } from './useUuid.ts'

/** Finds what an identifier belongs to, as far as the account may read it. */
export function useIdentified(
  search: string,
  isOperator: boolean,
): { findings: Finding[]; isFetching: boolean; error: unknown } {
  const identifier = readIdentifier(search)
  const { of = null, id = '' } = identifier ?? {}
  const me = useApiQuery('GET /api/me', { enabled: of === 'developer' })
  const ofUuid = useUuid(of === 'uuid' ? id : null, isOperator)
  const onChain = useOnChain(of === 'address' || of === 'hash' ? id : null)
  const withKey = useApiQuery('GET /api/agents', {
    ...{ query: { search: id, limit: 6 }, enabled: of === 'thumbprint', isFleeting: true },
  })
  // Only records that are final on chain have a place in the log that no longer changes.
  const known = useLogs(of === 'index')
  const exported = useApiQueries(
    'GET /api/audit/export',
    known.logs.map(({ query }) => ({ query: { ...query, from: id, to: id }, isFleeting: true })),
  )
  const asked = [me, ofUuid, onChain, withKey, known, ...exported]
  const isFetching = asked.some((query) => query.isFetching)
  return { findings: list(), isFetching, error: findRefusal(asked) }

  function list(): Finding[] {
    switch (of) {
      case 'agent':
      case 'endpoint':
      case 'organisation':
        return [describeFinding(of, id, id)]
      case 'developer':
        return me.data?.user.developerId === id ? [{ ...ACCOUNT, name: id, about: 'Your account' }] : []
      case 'uuid':
        return ofUuid.findings
      case 'address':
      case 'hash':
        return onChain.findings
      case 'thumbprint':
        return (withKey.data?.items ?? []).map(({ svcId, name }) => ({
          ...describeFinding('agent', svcId, name),
          ...{ to: `/agents/${svcId}?tab=keys`, about: 'Key of an agent' },
        }))
      case 'index':
        return known.logs.flatMap(({ name }, nth) => {
          const recordId = exported[nth]?.data?.recordId
          return recordId === undefined
            ? []
            : [describeFinding('record', recordId, `Record ${id} of ${name}`)]
        })
      case null:
        return []
    }
  }
}

const ACCOUNT = { to: '/account', icon: 'person' } as const
