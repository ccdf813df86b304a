import { z } from 'zod'
import { POLICY_NAME, POLICY_NAME_EXPECTED } from './policyNamePattern.ts'

/** A name in a boundary or request, of at most `max` characters. */
export function policyName(max: number) {
  return z.string().min(1, { abort: true }).max(max).regex(POLICY_NAME, POLICY_NAME_EXPECTED)
}
