import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { parse } from 'yaml'
import { z } from 'zod'
import { createMetrics } from '../../server/external/telemetry/metrics.ts'
import { TABLE } from '../../server/routes/index.ts'

const FOLDER = join(import.meta.dirname, '../../deploy/prometheus')
const rules = z.object({
  groups: z.array(
    z.object({
      rules: z.array(
        z.object({
          alert: z.string(),
          expr: z.string(),
          labels: z.object({ severity: z.enum(['critical', 'warning']) }),
          annotations: z.object({ summary: z.string(), description: z.string() }),
        }),
      ),
    }),
  ),
})
const cases = z.object({
  tests: z.array(
    z.object({
      alert_rule_test: z.array(z.object({ alertname: z.string(), exp_alerts: z.array(z.unknown()) })),
    }),
  ),
})

const read = (file: string): unknown => parse(readFileSync(join(FOLDER, file), 'utf8'))
const alerts = rules.parse(read('alerts.yaml')).groups.flatMap((group) => group.rules)

describe('the Prometheus alerts', () => {
  it('use only metrics that the service exports', async () => {
    const metrics = createMetrics({
      health: () => Promise.reject(new Error('no health')),
      isRelayer: () => false,
      relayer: () => Promise.reject(new Error('no relayer')),
      queues: () => Promise.reject(new Error('no queues')),
      witnesses: () => Promise.reject(new Error('no witnesses')),
    })
    const exported = (await metrics.values()).flatMap(({ name, type }) =>
      String(type) === 'histogram' ? [name, `${name}_bucket`, `${name}_count`, `${name}_sum`] : [name],
    )
    const used = alerts.flatMap(({ expr }) => expr.match(/\b(svc|nodejs|process)_\w+/g) ?? [])
    expect(used).to.include('svc_decision_seconds_bucket')
    expect(used.filter((name) => !exported.includes(name))).to.deep.equal([])
  })

  it('name only routes that exist', () => {
    const routes = alerts.flatMap(({ expr }) =>
      [...expr.matchAll(/route="([^"]+)"/g)].map(([, route]) => route),
    )
    expect(routes).to.not.deep.equal([])
    expect(TABLE.map(([method, path]) => `${method} ${path}`)).to.include.members(routes)
  })

  it('are each tested with values for which they fire, and for which they are silent', () => {
    const tested = cases.parse(read('alerts.test.yaml')).tests.flatMap((test) => test.alert_rule_test)
    for (const { alert } of alerts) {
      const expected = tested.filter(({ alertname }) => alertname === alert)
      const fires = expected.map(({ exp_alerts: fired }) => fired.length > 0)
      expect(fires, alert).to.include.members([true, false])
    }
  })

  it('fire as promtool expects', function () {
    const { error, status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', 'alerts.test.yaml'], {
      cwd: FOLDER,
      encoding: 'utf8',
    })
    // promtool is not installed.
    if (error) this.skip()
    expect(status, stdout + stderr).to.equal(0)
  })
})
