import type { ActivityEvent } from '../api/types.ts'
import { amountInWords } from './amountInWords.ts'
import { eventTypes } from './eventTypes.ts'
import { shortIdentifier } from './shortIdentifier.ts'

type Summary = {
  /** Who did what, or what happened. */
  title: string
  /** What was asked for. */
  about: string
  recommendation: string | null
}

/** An event in a few words; what the viewer may not see is simply not there. */
export function eventSummary({ eventType, agentId, endpointId, eventData }: ActivityEvent): Summary {
  const text = (name: string) => (typeof eventData[name] === 'string' ? (eventData[name] as string) : null)
  const who = text('agentName') ?? (agentId === null ? 'A caller without identity' : shortIdentifier(agentId))
  const where = text('endpointName') ?? text('counterpartyUrl') ?? endpointId ?? 'an endpoint'
  const isVerification = eventType.startsWith('verification.')
  const value = eventData.transactionValue
  const spend = typeof value === 'number' ? amountInWords(value, text('currency') ?? undefined) : null
  const asked = [text('purpose') ?? text('action'), text('resource'), text('jurisdiction'), spend]
  const happened = eventTypes[eventType] ?? eventType
  const subject = eventType.startsWith('agent.') ? who : where
  if (isVerification || eventType.startsWith('approval.')) {
    return {
      title: isVerification ? `${who} → ${where}` : `${happened}: ${who} → ${where}`,
      about: asked.filter(Boolean).join(' · ') || happened,
      recommendation: text('recommendation'),
    }
  }
  if (eventType.startsWith('kyd.')) return { title: happened, about: '', recommendation: null }
  return { title: `${happened}: ${subject}`, about: text('counterpartyUrl') ?? '', recommendation: null }
}
