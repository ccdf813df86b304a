import type { JsonWebKey } from 'node:crypto'
import { RECEIPT_CLAIMS } from '../test/builders/receiptClaims.ts'
import { findFreePort } from '../test/harness/runner/findFreePort.ts'
import { balancedOrder } from './load/balancedOrder.ts'
import type { LoadRequest } from './load/loadRequest.ts'
import { median } from './load/median.ts'
import { runClosedLoop } from './load/runClosedLoop.ts'
import { startServer } from './load/startServer.ts'
import type { ReportRow } from './report/benchReport.ts'
import { startRegistry } from './reuse/startRegistry.ts'

type Options = { isQuick: boolean }

const FORMS = ['bare', 'checked', 'reusing'] as const
type Rates = Record<(typeof FORMS)[number], number[]>

const CONNECTIONS = 16
/**
 * The share of requests that the registry may decide: those before the first grant, and those for which reports are late.
 */
const ASKED_SHARE_MAX = 0.01
const REPORTED_MS_MAX = 10_000

/**
 * Measures an Express route behind a gateway that answers with a grant at hand, next to the same route with only a bare
 * signature check, which is the limit, and without either. Every request has a signature of its own, made before.
 *
 * @throws Error for a wrong response, and if requests were answered otherwise than with the grant, or not reported.
 * Source: docs/performance.md (`reuseGrantSeconds` ≥ 0.8 × the route less the bare signature check).
 */
export async function measureReuse({ isQuick }: Options): Promise<ReportRow[]> {
  const registry = await startRegistry()
  const servers = await Promise.all(
    FORMS.map(async (form) => {
      const port = await findFreePort()
      const script = new URL('./reuse/serveRoute.ts', import.meta.url)
      const args = [String(port), form === 'reusing' ? registry.url : form]
      return { form, server: await startServer({ script, args, port, apartFromLoad: true }) }
    }),
  )
  try {
    const rates: Rates = { bare: [], checked: [], reusing: [] }
    const [rounds, amount] = isQuick ? [6, 4_000] : [12, 12_000]
    for (let round = 0; round <= rounds; round += 1) {
      for (const { form, server } of balancedOrder(servers, round + 1)) {
        const request = requestOf(`${server.url}/orders/1`, registry.agentKey)
        const job = { url: server.url, request, connections: CONNECTIONS, amount }
        const { right, wrong, seconds } = await runClosedLoop(job, { apartFromServers: true })
        if (wrong.length > 0) throw new Error(`${form}: ${wrong.join(', ')}`)
        // The first round only warms up.
        if (round > 0) rates[form].push(right / seconds)
      }
    }
    await checkCounts(registry, (rounds + 1) * amount)
    return buildRows(rates)
  } finally {
    await Promise.all(servers.map(({ server }) => server.stop()))
    await registry.stop()
  }
}

function requestOf(url: string, { privateJwk, kid }: { privateJwk: JsonWebKey; kid: string }): LoadRequest {
  const { pathname } = new URL(url)
  return {
    ...{ method: 'GET', path: pathname, headers: {}, body: '', expected: '"order":1' },
    signer: { privateJwk, keyid: kid, agentId: RECEIPT_CLAIMS.sub, url },
  }
}

/** Each request was decided by the registry or reported to it, and nearly all of them were reported. */
async function checkCounts(
  { counts }: Awaited<ReturnType<typeof startRegistry>>,
  sent: number,
): Promise<void> {
  const deadline = performance.now() + REPORTED_MS_MAX
  while (counts.asked + counts.reported < sent && performance.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  if (counts.asked > sent * ASKED_SHARE_MAX || counts.asked + counts.reported !== sent) {
    throw new Error(
      `of ${sent} requests, ${counts.asked} were decided by the registry and ${counts.reported} reported`,
    )
  }
}

function buildRows({ bare, checked, reusing }: Rates): ReportRow[] {
  const ratio = median(reusing.map((rate, i) => rate / (checked[i] ?? Number.NaN)))
  return [
    { name: 'an Express route', value: median(bare), unit: 'requests/s' },
    { name: 'limit: the route with the bare signature check', value: median(checked), unit: 'requests/s' },
    { name: 'the route behind a gateway with a grant at hand', value: median(reusing), unit: 'requests/s' },
    {
      name: 'reusing a grant / the route with the bare signature check',
      ...{ value: ratio, unit: '×', target: { atLeast: 0.8 } },
    },
  ]
}
