import { compilePolicy, EvaluatePolicyError } from '@svc/client/policy'
import { loadPolicy } from '@svc/client/yaml'
import { expect } from 'chai'
import { stringify } from 'yaml'
import { loadPolicyCases } from '../../cases/loadPolicyCases.ts'
import { toLocalCase } from '../../cases/toLocalCase.ts'

const NOW = Date.UTC(2026, 0, 5, 12)
const TEXT = `
version: "1"
pdlss:
  purpose: { categories: [shopping] }
  limits: { autonomousThreshold: 100, approvalThreshold: 500, currency: EUR }
`

describe('compilePolicy', () => {
  it('decides by the field names of verify-access, for a policy text or object', () => {
    const object = {
      version: '1',
      pdlss: {
        purpose: { categories: ['shopping'] },
        limits: { autonomousThreshold: 100, approvalThreshold: 500, currency: 'EUR' },
      },
    }
    for (const { evaluate } of [compilePolicy(loadPolicy(TEXT)), compilePolicy(object)]) {
      const decide = (transactionValue: number) =>
        evaluate({ purpose: 'shopping:buy', transactionValue, currency: 'EUR' }, { now: NOW })
      expect(decide(99.99).recommendation).to.equal('grant')
      expect(decide(100).recommendation).to.equal('step_up_required')
      expect(decide(500)).to.deep.include({ recommendation: 'deny' })
      expect(decide(500).failures.map(({ dimension }) => dimension)).to.deep.equal(['pdlss.limits'])
    }
  })

  it('names the invalid field of a policy or request', () => {
    expect(() => compilePolicy({ version: '1', pdlss: { limitz: {} } })).to.throw(
      EvaluatePolicyError,
      '/pdlss',
    )
    expect(() => compilePolicy(null)).to.throw(EvaluatePolicyError)
    const { evaluate } = compilePolicy(loadPolicy(TEXT))
    expect(() => evaluate({ transactionValue: -1 }, { now: NOW })).to.throw(
      EvaluatePolicyError,
      '/transactionValue',
    )
  })

  it('refuses to decide without a time', () => {
    const { evaluate } = compilePolicy(loadPolicy(TEXT))
    for (const context of [undefined, {}, { now: Number.NaN }, { now: '2026-01-07' }]) {
      // As a JavaScript program may call it.
      expect(() => Reflect.apply(evaluate, undefined, [{}, context])).to.throw(TypeError, '{ now }')
    }
  })

  describe('decides every policy case as the service does, from an object and from a text', () => {
    for (const one of loadPolicyCases()) {
      it(one.title, () => {
        const { policy, request, facts } = toLocalCase(one)
        for (const { evaluate } of [compilePolicy(policy), compilePolicy(loadPolicy(stringify(policy)))]) {
          const { recommendation, access, failures } = evaluate(request, { now: one.now, facts })
          expect(recommendation).to.equal(one.expect.recommendation)
          expect(access.accessLevel).to.equal(one.expect.accessLevel)
          expect(failures.map(({ dimension }) => dimension)).to.deep.equal(one.expect.dimensions)
          // Where a response of the service has them.
          expect(access.failures ?? []).to.deep.equal(failures)
          expect(access.allowed).to.equal(['grant', 'audit'].includes(one.expect.recommendation))
        }
      })
    }
  })
})
