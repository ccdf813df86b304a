import { UNVERIFIED_AGENT_POLICIES } from '../access/facts.ts'
import { IDENTITY_PROOFS } from '../access/identityProof.ts'
import type { FieldError } from '../fieldErrors.ts'
import { parseGlob } from '../glob/parseGlob.ts'
import { pdlssShape } from '../pdlss/pdlssShape.ts'
import { parseShape } from '../shape/parseShape.ts'
import { type Shape, strict } from '../shape/shape.ts'
import type { PolicyFile } from './policyFile.ts'

const label: Shape = { kind: 'text', lengthMin: 1, lengthMax: 200 }

const route = strict(
  {
    pattern: {
      kind: 'text',
      find: (pattern) =>
        parseGlob(pattern).ok ? [] : [{ code: 'invalid_glob', message: 'expected a glob' }],
    },
    method: {
      kind: 'text',
      pattern: { test: /^[A-Z]{1,20}$|^\*$/, message: 'expected a method in upper case, or *' },
    },
    minAccessLevel: {
      kind: 'choice',
      values: ['none', 'restricted', 'read-only', 'standard', 'full', 'internal'],
    },
    minIdentityProof: { kind: 'choice', values: IDENTITY_PROOFS },
  },
  { required: ['pattern', 'minAccessLevel'] },
)

/** The shape of a policy file, for which the service's contract has `policyFileSchema`. */
const policyFileShape = strict(
  {
    version: { kind: 'choice', values: ['1', 1] },
    agent: strict({ id: label, name: label }),
    pdlss: pdlssShape('agent'),
    endpoint: strict({ pdlss: pdlssShape('endpoint') }),
    unverifiedAgentPolicy: { kind: 'choice', values: UNVERIFIED_AGENT_POLICIES },
    routes: { kind: 'list', item: route, lengthMax: 100 },
    defaults: strict({ decision: { kind: 'choice', values: ['deny', 'grant'] } }),
  },
  { required: ['version'] },
)

/** Parses the value of a policy file; every error names its field by JSON pointer. */
export function parsePolicyFile(
  value: unknown,
): { ok: true; policyFile: PolicyFile } | { ok: false; errors: FieldError[] } {
  const parsed = parseShape(policyFileShape, value)
  return parsed.ok ? { ok: true, policyFile: parsed.value as PolicyFile } : parsed
}
