import type { Period } from './groupDecisions.ts'

/** When a bar of a chart begins, as short as its period allows. */
export function formatBarTime(start: Date, period: Period): string {
  if (period === 'day') return start.toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit' })
  const date = period === 'week' ? ({ weekday: 'short' } as const) : ({ month: 'short' } as const)
  return start.toLocaleDateString(undefined, { ...date, day: 'numeric' })
}
