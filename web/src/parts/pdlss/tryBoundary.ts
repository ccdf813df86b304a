import { parseRequestFields } from '@svc/core/access/verificationRequest.ts'
import type { FieldError } from '@svc/core/fieldErrors.ts'
import { type PdlssSide, parsePdlss } from '@svc/core/pdlss/pdlss.ts'
import { compilePolicyEvaluator, type Evaluation } from '@svc/core/policyFile/compilePolicyEvaluator.ts'
import type { Boundary } from '../../api/types.ts'

/** What came of a sample request, or what is wrong with it. */
type Tried = { ok: true; evaluation: Evaluation } | { ok: false; errors: readonly FieldError[] }

/**
 * Decides a sample request by a boundary alone, with the policy that the service compiles.
 *
 * Only the dimensions of the boundary count: scores, allowlists and hourly counts are the service's to know.
 *
 * @param now Epoch milliseconds. Source: verification.md "Policy file".
 */
export function tryBoundary(boundary: Boundary, side: PdlssSide, fields: object, now: number): Tried {
  const policy = parsePdlss(boundary, side)
  if (!policy.ok) return policy
  const parsed = parseRequestFields(fields)
  if (!parsed.ok) return parsed
  const { pdlss } = policy
  const file = side === 'agent' ? { pdlss } : { endpoint: { pdlss } }
  return { ok: true, evaluation: compilePolicyEvaluator({ version: '1', ...file })(parsed.request, now) }
}
