import { useApiQueries, useApiQuery } from '../api/useApiQuery.ts'
import { describeFinding, type Finding } from './describeFinding.ts'
import { findRefusal } from './findRefusal.ts'
import { useLogs } from './useLogs.ts'

/**
 * Finds what an address or a hash on chain belongs to: own agents, wallets, the contracts of the service, and the newest
 * hundred batches of each audit log; null asks for nothing.
 *
 * @param value In lower case.
 */
export function useOnChain(value: string | null): {
  findings: Finding[]
  isFetching: boolean
  error: unknown
} {
  const isAddress = value?.length === 42
  const options = { enabled: value !== null, isFleeting: true }
  const agents = useApiQuery('GET /api/agents', { query: { search: value ?? '', limit: 6 }, ...options })
  const me = useApiQuery('GET /api/me', { enabled: isAddress })
  const chain = useApiQuery('GET /api/chain', { enabled: isAddress })
  const known = useLogs(value !== null && !isAddress)
  const batches = useApiQueries(
    'GET /api/audit/batches',
    known.logs.map(({ query }) => ({ query: { ...query, limit: 100 }, ...options })),
  )
  const isValue = (other: string | null) => other !== null && other.toLowerCase() === value
  const found: Finding[] = (agents.data?.items ?? []).map(({ svcId, name }) => ({
    ...describeFinding('agent', svcId, name),
    about: isAddress ? 'Agent with this wallet' : 'Agent with this transaction',
  }))
  if (me.data?.wallets.some(isValue)) {
    found.push({ to: '/account', name: 'Your wallet', about: 'Account', icon: 'person' })
  }
  if (Object.values(chain.data?.contracts ?? {}).some(isValue)) {
    found.push({ to: '/status', name: 'Contract of this service', about: 'Status', icon: 'audit' })
  }
  known.logs.forEach(({ search, name: log }, nth) => {
    for (const { number, root, transactionHash } of batches[nth]?.data?.items ?? []) {
      if (!isValue(root) && !isValue(transactionHash)) continue
      const name = `Batch ${number.toLocaleString('en')} of ${log}`
      found.push({ to: `/audit${search}#batch-${number}`, name, about: 'Audit log', icon: 'audit' })
    }
  })
  const asked = [agents, me, chain, known, ...batches]
  const isFetching = asked.some((query) => query.isFetching)
  return { findings: value === null ? [] : found, isFetching, error: findRefusal(asked) }
}
