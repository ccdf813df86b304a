import type { AuditEntryFields } from '@svc/core/audit/auditEntry.ts'
import fc from 'fast-check'
import { anyText } from '../../harness/values/anyText.ts'

const text = anyText()
const maybe = fc.option(text, { nil: null })
const correlation = fc.oneof(
  fc.constant({}),
  fc.record({ sessionId: fc.option(text) }),
  fc.record({ correlationId: fc.option(text), sessionId: fc.constant(undefined) }),
)
/** The fields of any valid entry, of either version. */
export const anyEntryFields: fc.Arbitrary<AuditEntryFields> = fc
  .tuple(
    fc.record({
      type: text,
      recordId: text,
      agentId: maybe,
      endpointId: maybe,
      decision: fc.constantFrom('grant', 'deny', 'step_up_required', 'audit', null),
      dimensions: fc.array(text),
      inputsHash: text,
      policyHashes: fc.record({ endpoint: maybe, agent: maybe }),
      time: text,
      salt: text,
    }),
    correlation,
    fc.oneof(fc.constant({}), fc.record({ seq: fc.maxSafeNat() })),
    fc.oneof(fc.constant({}), fc.record({ receiptHash: text }), fc.record({ mandateHash: text })),
    fc.oneof(fc.constant({}), fc.record({ subject: fc.option(fc.dictionary(text, text)) })),
  )
  .map(([fields, correlated, placed, issued, about]) => ({
    ...fields,
    ...correlated,
    ...placed,
    ...issued,
    ...about,
  }))
