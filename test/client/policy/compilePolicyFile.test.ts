import { compilePolicyFile } from '@svc/client/policy/compilePolicyFile.ts'
import { EvaluatePolicyError } from '@svc/client/policy/evaluatePolicyError.ts'
import { expect } from 'chai'
import { stringify } from 'yaml'
import { loadPolicyCases } from '../../cases/loadPolicyCases.ts'
import { toLocalCase } from '../../cases/toLocalCase.ts'

const NOON = Date.parse('2026-01-07T12:00:00Z')

const outcome = (evaluation: ReturnType<ReturnType<typeof compilePolicyFile>['evaluate']>) => ({
  recommendation: evaluation.recommendation,
  accessLevel: evaluation.access.accessLevel,
  dimensions: evaluation.failures.map((failure) => failure.dimension as string),
})

describe('the local evaluator', () => {
  describe('decides every policy case as the service does', () => {
    for (const [index, one] of loadPolicyCases().entries()) {
      it(one.title, () => {
        const { policy, request, facts } = toLocalCase(one)
        const text = index % 2 === 0 ? stringify(policy) : JSON.stringify(policy, null, '\t')
        const evaluation = compilePolicyFile(text).evaluate(request, one.now, facts)
        const { recommendation, accessLevel, dimensions } = one.expect
        expect(outcome(evaluation)).to.deep.equal({ recommendation, accessLevel, dimensions })
      })
    }
  })

  describe('with only a file', () => {
    const evaluator = compilePolicyFile(`
version: "1"
agent: { name: buyer }
pdlss:
  purpose: { categories: [shopping] }
  limits: { autonomousThreshold: 100, approvalThreshold: 500, currency: USD }
  scope: { counterparties: [shop.example], minCounterpartyTrustScore: 90 }
`)

    it('needs no agent id, no counterparty id and no state', () => {
      const evaluation = evaluator.evaluate({ purpose: 'shopping', transactionValue: 20 }, NOON)
      expect(outcome(evaluation)).to.deep.equal({
        recommendation: 'grant',
        accessLevel: 'standard',
        dimensions: [],
      })
    })

    it('requires approval for spend between the limits', () => {
      const evaluation = evaluator.evaluate({ purpose: 'shopping', transactionValue: 200 }, NOON)
      expect(evaluation.recommendation).to.equal('step_up_required')
    })

    it('reads the counterparty’s host from the request', () => {
      const there = (counterpartyUrl: string) =>
        evaluator.evaluate({ purpose: 'shopping', counterpartyUrl }, NOON).recommendation
      expect(there('https://SHOP.example/cart')).to.equal('grant')
      expect(there('https://other.example/cart')).to.equal('deny')
      expect(there('not a url')).to.equal('deny')
    })

    it('returns the parsed file', () => {
      expect(evaluator.policyFile.agent).to.deep.equal({ name: 'buyer' })
    })
  })

  describe('without a boundary', () => {
    it('denies unless the file sets another default', () => {
      expect(compilePolicyFile('version: "1"').evaluate({}, NOON).recommendation).to.equal('deny')
      const open = compilePolicyFile('{ version: "1", defaults: { decision: grant } }')
      expect(open.evaluate({ purpose: 'x' }, NOON).recommendation).to.equal('grant')
    })
  })

  describe('with an endpoint boundary only', () => {
    it('does not check the agent’s mandate, which is unknown', () => {
      const text = 'version: "1"\nendpoint: { pdlss: { selfInstantiation: { maxDepth: 2 } } }'
      const evaluate = compilePolicyFile(text).evaluate
      expect(evaluate({ subAgent: { depth: 1 } }, NOON).recommendation).to.equal('grant')
      expect(evaluate({ subAgent: { depth: 3 } }, NOON).recommendation).to.equal('deny')
    })
  })

  describe('rejects a text', () => {
    const problemsIn = (text: string) => {
      try {
        compilePolicyFile(text)
      } catch (error) {
        if (error instanceof EvaluatePolicyError) return error.errors
        throw error
      }
      return []
    }

    it('with a misspelt rule, naming its line, column and field', () => {
      const [problem] = problemsIn('version: "1"\npdlss:\n  purpose:\n    alowedActions: [read]\n')
      expect(problem).to.include({
        line: 4,
        column: 5,
        code: 'unknown_key',
        pointer: '/pdlss/purpose/alowedActions',
      })
    })

    it('with invalid values, listing all in the order of the text', () => {
      const problems = problemsIn(
        'version: "1"\npdlss:\n  duration:\n    timezone: Mars/Olympus\n    allowedDays: [1, 9]\n',
      )
      expect(problems.map(({ line, pointer }) => [line, pointer])).to.deep.equal([
        [4, '/pdlss/duration/timezone'],
        [5, '/pdlss/duration/allowedDays/1'],
      ])
    })

    it('and lists the mistakes in the message', () => {
      expect(() => compilePolicyFile('version: "2"')).to.throw(/1:1 \/version: expected one of "1"/)
    })

    for (const [what, text] of [
      ['an alias', 'version: "1"\nagent: &a { id: x }\nendpoint: *a'],
      ['an anchor', 'version: &v "1"'],
      ['a tag', 'version: !!str 1'],
      ['a merge key', 'version: "1"\n<<: { agent: { id: x } }'],
      ['a repeated key', 'version: "1"\nversion: "1"'],
      ['two documents', 'version: "1"\n---\nversion: "1"'],
      ['a key that is not a string', 'version: "1"\n? [a]\n: b'],
      ['__proto__', '{"version": "1", "pdlss": {"__proto__": {"purpose": {}}}}'],
      ['an infinite amount', 'version: "1"\npdlss: { limits: { autonomousThreshold: .inf } }'],
      [
        'an amount of too many digits',
        'version: "1"\npdlss: { limits: { autonomousThreshold: 1234567890.1234567 } }',
      ],
      ['no value', ''],
      ['a list', '- version'],
      ['unclosed brackets', '{ version: "1"'],
      ['deep nesting', '['.repeat(60_000)],
      ['more than 64 Ki characters', `version: "1" #${' '.repeat(65_536)}`],
    ] as const) {
      it(`with ${what}`, () => {
        expect(problemsIn(text)).to.have.length.within(1, 20)
      })
    }
  })

  it('rejects a request with invalid fields, naming each', () => {
    const { evaluate } = compilePolicyFile('version: "1"')
    expect(() => evaluate({ purpose: 7, transactionValue: -1 }, NOON)).to.throw(
      EvaluatePolicyError,
      /\/purpose: expected a string, got 7\n.*\/transactionValue: expected at least 0, got -1/,
    )
  })
})
