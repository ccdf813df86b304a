import { NativeSelect } from '@mantine/core'
import { useApiQuery } from '../../api/useApiQuery.ts'
import { navigate, useAddress } from '../../router/navigate.ts'

/** The number of the log that the address names, as in `?log=2`; that of the first log by default. */
export function useLogNumber(): number {
  const digits = /^\d{1,2}$/.exec(useAddress().search.get('log') ?? '')?.[0]
  return digits === undefined ? 0 : Number(digits)
}

/** Chooses one of several audit logs; shows nothing while there is one. */
export function LogChoice() {
  const log = useLogNumber()
  const { path } = useAddress()
  const chain = useApiQuery('GET /api/chain')
  const logIds = chain.data?.logIds ?? []
  if (logIds.length < 2) return null
  return (
    <NativeSelect
      label="Log"
      description="Each organisation has its records in one of these logs: those of requests at its endpoints, and those of its own agents that concern no endpoint."
      value={String(log)}
      onChange={(event) => navigate(`${path}?log=${event.currentTarget.value}`)}
      data={logIds.map((id, number) => ({
        value: String(number),
        label: `Log ${number}: ${id.slice(0, 6)}…${id.slice(-6)}`,
      }))}
      maw={420}
    />
  )
}
