import { describeCall } from '@svc/gate/mcp/describeCall.ts'
import { readMcpRules } from '@svc/gate/mcp/readMcpRules.ts'
import { expect } from 'chai'

const describeWith = (tools: object, given: Record<string, unknown> = {}, hints: object = {}, name = 'buy') =>
  describeCall(readMcpRules({ tools }, 'rules.yaml'), { name, arguments: given }, hints)
const spend = (rule: object, given: Record<string, unknown>) => {
  const described = describeWith({ buy: { amount: '/total', currency: 'EUR', ...rule } }, given)
  return described.ok ? [described.fields.transactionValue, described.fields.currency] : described.problem
}

describe('what a call of a tool means to the registry', () => {
  it('follows from what the server says about the tool, unless a rule says more', () => {
    for (const [hints, purpose, method] of [
      [{}, 'tools:destroy', 'POST'],
      [{ readOnlyHint: 'true' }, 'tools:destroy', 'POST'],
      [{ destructiveHint: false }, 'tools:write', 'POST'],
      [{ readOnlyHint: true, destructiveHint: true }, 'tools:read', 'GET'],
    ] as const) {
      const described = describeWith({}, {}, hints)
      expect(described).to.deep.equal({
        ...{ ok: true, fields: { purpose, resource: 'buy' }, route: { method, path: 'buy' } },
      })
    }
    expect(describeWith({ buy: { purpose: 'shopping:buy', resource: '/orders' } })).to.deep.include({
      ...{
        fields: { purpose: 'shopping:buy', resource: '/orders' },
        route: { method: 'POST', path: '/orders' },
      },
    })
  })

  it('is that of the first rule that matches the name', () => {
    const rules = { 'get.x': { resource: 'plain' }, 'get*y': { resource: 'any' }, '*': { allowed: false } }
    for (const [name, resource] of [
      ['get.x', 'plain'],
      ['get-x', undefined],
      ['get-a-y', 'any'],
      ['gety', 'any'],
      ['forget-y', undefined],
    ]) {
      const described = describeWith(rules, {}, {}, name)
      expect(described.ok ? described.fields.resource : undefined, name).to.equal(resource)
    }
  })

  it('has the exact amount and the currency in the arguments, also in cents and as text', () => {
    expect(spend({}, { total: 19.99 })).to.deep.equal([19.99, 'EUR'])
    expect(spend({}, { total: '19.90' })).to.deep.equal([19.9, 'EUR'])
    expect(spend({ minorDigits: 2 }, { total: 1_117 })).to.deep.equal([11.17, 'EUR'])
    expect(spend({ minorDigits: 2 }, { total: 0 })).to.deep.equal([0, 'EUR'])
    expect(
      spend({ amount: '/a~1b/1/x~0', currency: '/c' }, { 'a/b': [0, { 'x~': 5 }], c: 'usd' }),
    ).to.deep.equal([...[5, 'USD']])
  })

  it('is unknown, so the call is refused, if a required amount or currency is missing', () => {
    for (const total of [
      undefined,
      null,
      '',
      -1,
      '-1',
      '1e3',
      1e-7,
      1e300,
      Number.NaN,
      [5],
      { value: 5 },
      true,
    ]) {
      expect(spend({}, { total }), String(total)).to.equal('The arguments must have an amount at /total.')
    }
    expect(spend({ amount: '/constructor/length' }, {})).to.match(/must have an amount/)
    expect(spend({ currency: '/c' }, { total: 1, c: 5 })).to.equal(
      'The arguments must have a currency at /c.',
    )
  })

  it('is refused if the arguments have another member that a server could take for the amount or the currency', () => {
    const rival = (name: string) =>
      `The arguments have ${JSON.stringify(name)}, which could be taken for what is verified.`
    for (const name of ['Total', 'TOTAL', 'total\0', 'total\0x', 'to\u200btal', 'ｔotal']) {
      expect(spend({}, { total: 1, [name]: 100_000 })).to.equal(rival(name))
    }
    const nested = { amount: '/cost/0/sum', currency: '/cost/0/unit' }
    expect(spend(nested, { cost: [{ sum: 1, unit: 'EUR' }], COST: [] })).to.equal(rival('COST'))
    expect(spend(nested, { cost: [{ sum: 1, ſum: 9, unit: 'EUR' }] })).to.equal(rival('ſum'))
    expect(spend(nested, { cost: [{ sum: 1, unit: 'EUR', Unit: 'JPY' }] })).to.equal(rival('Unit'))
    expect(spend({}, { total: 1, totals: 2, Other: 3, other: 4, a: { Total: 5 } })).to.deep.equal([1, 'EUR'])
  })
})
