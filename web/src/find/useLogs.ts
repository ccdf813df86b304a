import { useApiQuery } from '../api/useApiQuery.ts'

/** An audit log to search in: how to ask for it, to lead to it, and to call it. */
type Log = { query: { log?: number }; search: string; name: string }

/** The audit logs of the service, unless it is asked for none; the first one alone until their number is known. */
export function useLogs(isAsked: boolean): Log[] {
  const { data } = useApiQuery('GET /api/chain', { enabled: isAsked })
  if (!isAsked) return []
  const { logIds = [] } = data ?? {}
  if (logIds.length < 2) return [{ query: {}, search: '', name: 'the log' }]
  return logIds.map((_, log) => ({ query: { log }, search: `?log=${log}`, name: `log ${log}` }))
}
