import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { createOrganisation, registerAgent, registerEndpoint } from '../builders/participants.ts'
import { type StartedWitness, startWitness } from '../harness/peers/startWitness.ts'
import { api } from '../harness/service/api.ts'
import { type StartedService, startService } from '../harness/service/startService.ts'

type Panel = { id: number; title: string; targets: { expr: string }[] }

const dashboard = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../docs/grafana/dashboard.json'), 'utf8'),
) as { panels: Panel[]; templating: { list: { query: string }[] } }

/** The names of the series in an expression, which precede a selector or a label query. */
function seriesOf(expression: string): string[] {
  const selected = [...expression.matchAll(/([a-z_\d]+)\{/g)].map(([, name = '']) => name)
  const listed = [...expression.matchAll(/label_values\(([a-z_\d]+),/g)].map(([, name = '']) => name)
  return [...selected, ...listed]
}

describe('the Grafana dashboard', () => {
  let service: StartedService
  let witness: StartedWitness
  let shown: string
  before(async () => {
    witness = await startWitness()
    service = await startService({ settings: { WITNESSES: witness.setting } })
    const shop = await createOrganisation(service.baseUrl)
    const counterpartyId = await registerEndpoint(service.baseUrl, shop.apiKey)
    const { svcId } = await registerAgent(service.baseUrl)
    for (const body of [{ counterpartyId, agentId: svcId }, { counterpartyId }]) {
      const answer = await api(service.baseUrl, 'POST', '/api/agents/verify-access', {
        bearer: shop.apiKey,
        body,
      })
      expect(answer.status).to.equal(200)
    }
    shown = await (await fetch(`${service.baseUrl}/metrics`)).text()
  })
  after(async () => {
    await service?.stop()
    await witness?.stop()
  })

  it('queries only series that the service exports', () => {
    const expressions = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))
    const queries = dashboard.templating.list.map(({ query }) => query)
    const asked = new Set([...expressions, ...queries].flatMap(seriesOf))
    expect(asked.size).to.be.greaterThan(15)
    const absent = [...asked].filter((name) => !new RegExp(`^${name}(\\{.*\\})? \\S+$`, 'm').test(shown))
    expect(absent).to.deep.equal([])
  })

  it('shows every series that is the service’s own', () => {
    const expressions = JSON.stringify(dashboard.panels)
    const own = new Set([...shown.matchAll(/^# TYPE (svc_\w+) /gm)].map(([, name = '']) => name))
    expect(own.size).to.be.greaterThan(10)
    expect([...own].filter((name) => !expressions.includes(name))).to.deep.equal([])
  })

  it('gives each panel an expression and a unique identifier', () => {
    expect(new Set(dashboard.panels.map(({ id }) => id)).size).to.equal(dashboard.panels.length)
    for (const { title, targets } of dashboard.panels) {
      for (const { expr } of targets) expect(seriesOf(expr), title).to.not.deep.equal([])
    }
  })

  it('counts each decision by its recommendation', () => {
    const counted = [...shown.matchAll(/^svc_decision_seconds_count\{recommendation="(\w+)"\} (\d+)$/gm)]
    expect(counted.reduce((sum, [, , count]) => sum + Number(count), 0)).to.equal(2)
  })
})
