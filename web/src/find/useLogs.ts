import { useApiQuery } from '../api/useApiQuery.ts'

/** An audit log to search in: how to ask for it, to lead to it, and to call it. */
type Log = { query: { log?: number }; search: string; name: string }

/** Lists the audit logs of the service: none if it is not asked for them, or until their number is known. */
export function useLogs(isAsked: boolean): { logs: Log[]; isFetching: boolean; error: unknown } {
  const { data, isFetching, error } = useApiQuery('GET /api/chain', { enabled: isAsked })
  return { logs: isAsked && data ? describe(data.logIds.length) : [], isFetching, error }
}

function describe(count: number): Log[] {
  if (count < 2) return [{ query: {}, search: '', name: 'the log' }]
  return Array.from({ length: count }, (_, log) => ({
    query: { log },
    search: `?log=${log}`,
    name: `log ${log}`,
  }))
}
