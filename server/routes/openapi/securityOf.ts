import { ACCESS, type Access } from '../../middleware/authorise.ts'
import type { JsonSchema } from './describeSchemas.ts'

const ADMITTING: ReadonlySet<string> = new Set(['allow', 'elevated', 'operator', 'elevatedOperator'])

/** The alternative security requirements of an operation. Source: OpenAPI 3.1 "Security Requirement Object". */
export function securityOf(access: Access): JsonSchema[] {
  const accepted = Object.entries(ACCESS[access])
    .filter(([kind, verdict]) => kind !== 'nobody' && ADMITTING.has(verdict))
    .map(([kind, verdict]) => ({ [kind]: [], ...(needsPasskey(verdict) ? { elevation: [] } : {}) }))
  if (access === 'anyone') return []
  return ACCESS[access].nobody === 'allow' ? [{}, ...accepted] : accepted
}

export function needsPasskey(verdict: string): boolean {
  return verdict === 'elevated' || verdict === 'elevatedOperator'
}
