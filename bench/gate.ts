import { RECEIPT_CLAIMS } from '../test/builders/receiptClaims.ts'
import { findFreePort } from '../test/harness/runner/findFreePort.ts'
import { balancedOrder } from './load/balancedOrder.ts'
import { median } from './load/median.ts'
import { runClosedLoop } from './load/runClosedLoop.ts'
import { startServer } from './load/startServer.ts'
import type { ReportRow } from './report/benchReport.ts'
import { startRegistry } from './reuse/startRegistry.ts'

const FORMS = ['bare', 'answered', 'asking', 'reusing'] as const
type Form = (typeof FORMS)[number]
type Figures = Record<Form, { rates: number[]; millis: number[] }>

const CONNECTIONS = 16

/**
 * Measures `svc-gate` as a reverse proxy beside a bare `http-proxy` before the same server: requests per second over several
 * connections, and the time of a request over one. The gate asks a registry that grants at once, has its answer without a
 * call, or reuses its grants.
 *
 * @throws Error for a wrong response.
 * Source: docs/performance.md (without the call ≥ 0.7 × `http-proxy` and ≤ 0.3 ms more, with reused grants ≥ 0.6 ×).
 */
export async function measureGate({ isQuick }: { isQuick: boolean }): Promise<ReportRow[]> {
  const registry = await startRegistry()
  const script = new URL('./gate/serveProxy.ts', import.meta.url)
  const start = async (...args: string[]) => {
    const port = await findFreePort()
    return startServer({ script, args: [String(port), ...args], port, apartFromLoad: true })
  }
  const server = await start('server')
  const proxies = await Promise.all(
    FORMS.map(async (form) => ({ form, proxy: await start(form, server.url, registry.url) })),
  )
  try {
    const figures: Figures = {
      bare: { rates: [], millis: [] },
      answered: { rates: [], millis: [] },
      asking: { rates: [], millis: [] },
      reusing: { rates: [], millis: [] },
    }
    const [rounds, amount] = isQuick ? [6, 2_000] : [12, 8_000]
    for (let round = 0; round <= rounds; round += 1) {
      for (const { form, proxy } of balancedOrder(proxies, round + 1)) {
        const { privateJwk, kid: keyid } = registry.agentKey
        const signer = { privateJwk, keyid, agentId: RECEIPT_CLAIMS.sub, url: `${proxy.url}/orders/1` }
        const request = {
          method: 'GET',
          path: '/orders/1',
          headers: {},
          body: '',
          expected: '"order":1',
          signer,
        } as const
        const measure = async (connections: number, requests: number) => {
          const job = { url: proxy.url, request, connections, amount: requests }
          const { right, wrong, seconds } = await runClosedLoop(job, { apartFromServers: true })
          if (wrong.length > 0) throw new Error(`${form}: ${wrong.join(', ')}`)
          return seconds / right
        }
        const rate = 1 / (await measure(CONNECTIONS, amount))
        const millis = 1_000 * (await measure(1, amount / 10))
        // The first round only warms up.
        if (round > 0) {
          figures[form].rates.push(rate)
          figures[form].millis.push(millis)
        }
      }
    }
    return buildRows(figures)
  } finally {
    await Promise.all([...proxies.map(({ proxy }) => proxy.stop()), server.stop()])
    await registry.stop()
  }
}

function buildRows({ bare, answered, asking, reusing }: Figures): ReportRow[] {
  const share = ({ rates }: Figures[Form]) =>
    median(rates.map((rate, i) => rate / (bare.rates[i] ?? Number.NaN)))
  const added = ({ millis }: Figures[Form]) =>
    median(millis.map((one, i) => one - (bare.millis[i] ?? Number.NaN)))
  const rate = (name: string, { rates }: Figures[Form]) => ({
    name,
    value: median(rates),
    unit: 'requests/s',
  })
  return [
    rate('limit: http-proxy', bare),
    rate('svc-gate without its verification call', answered),
    rate('svc-gate, which asks for each request', asking),
    rate('svc-gate with a grant at hand', reusing),
    { name: 'without the call / http-proxy', value: share(answered), unit: '×', target: { atLeast: 0.7 } },
    { name: 'asking / http-proxy', value: share(asking), unit: '×' },
    { name: 'with a grant at hand / http-proxy', value: share(reusing), unit: '×', target: { atLeast: 0.6 } },
    {
      name: 'time added to a request, without the call',
      value: added(answered),
      unit: 'ms',
      target: { atMost: 0.3 },
    },
    { name: 'time added to a request, asking', value: added(asking), unit: 'ms' },
    { name: 'time added to a request, with a grant at hand', value: added(reusing), unit: 'ms' },
  ]
}
