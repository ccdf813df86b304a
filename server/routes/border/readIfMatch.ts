import type { Call } from '../../middleware/call.ts'
import type { Expectation } from '../../services/requireExpected.ts'
import { isUnchanged } from './isUnchanged.ts'

/**
 * Reads which settings the caller expects to change; without `If-Match`, and with `*`, any.
 *
 * Weak tags count, although the header asks for a strong comparison: a proxy that compresses responses makes a strong tag
 * weak, and ours is that of the settings, whatever the bytes are that represent them.
 *
 * Source: RFC 9110 §13.1.1.
 */
export function readIfMatch(call: Pick<Call, 'header'>): Expectation {
  const ifMatch = call.header('if-match')
  return (tag) => ifMatch === undefined || ifMatch.trim() === '*' || isUnchanged(ifMatch, tag)
}
