import { interventionBody } from '@svc/core/contract/interventions.ts'
import type { Call } from '../../middleware/call.ts'
import { parseInput } from '../../middleware/parseInput.ts'
import type { Intervening } from '../../services/operator/changeIntervention.ts'
import { callerOf } from '../border/callerOf.ts'

/** Reads the measure that an operator orders: its subject from the path, and its reason from the body. */
export function interveningOf(call: Call): Intervening {
  const { reason } = parseInput(interventionBody, call.body)
  return { id: call.params.id ?? '', reason, principal: callerOf(call, 'session'), now: call.now }
}
