import { compilePolicyFile } from '@svc/client/policy/compilePolicyFile.ts'
import { expect } from 'chai'
import fc from 'fast-check'
import { type ArbitraryCase, arbitraryCase } from '../../core/access/arbitraryCases.ts'
import { decideNaively } from '../../core/access/decideNaively.ts'
import { faultMode } from '../../harness/faults/faultMode.ts'
import { reportFaultFigure } from '../../harness/faults/reportFaultFigure.ts'

const RUNS = { none: 1_000, short: 20_000, full: 1_000_000 }[faultMode]

/** A case as a policy file, a request and the facts that only a server knows. */
function evaluate({ agent, endpoint, rules, request, facts, now }: ArbitraryCase) {
  const { unverifiedAgentPolicy } = facts
  const both = { pdlss: agent, endpoint: { pdlss: endpoint } }
  const file = { version: '1', agent: { id: 'SVC-a' }, ...both, unverifiedAgentPolicy }
  return compilePolicyFile(JSON.stringify(file)).evaluate({ ...request, agentId: 'SVC-a' }, now, {
    agent: {
      status: facts.status,
      trustScore: facts.trustScore,
      certifications: facts.certifications,
      approvalRules: rules,
      ancestorMaxTransactionsPerHour: facts.ancestorMaxTransactionsPerHour,
    },
    endpoint: {
      status: facts.endpointStatus,
      tier: facts.tier,
      trustScoreRequirement: facts.trustScoreRequirement,
      host: facts.host,
    },
    counters: facts,
    challenge: facts.challenge,
    sharesOwner: facts.sharesOwner,
  })
}

describe('the local evaluator on random files', () => {
  it('makes the same decision as a naive twin that reads the rules one by one', function () {
    this.timeout(0)
    fc.assert(
      fc.property(arbitraryCase, (one) => {
        const { recommendation, access, failures } = evaluate(one)
        const dimensions = failures.map(({ dimension }) => dimension)
        const seen = { recommendation, accessLevel: access.accessLevel, dimensions }
        expect(seen).to.deep.equal(decideNaively(one))
      }),
      { numRuns: RUNS },
    )
    reportFaultFigure(`${RUNS} random policy files in the local evaluator, 0 differences from the naive twin`)
  })
})
