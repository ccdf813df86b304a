import { expect } from 'chai'
import { gatherWorkerMetrics } from '../../../../server/compose/processes/gatherWorkerMetrics.ts'
import { createMetrics, type MetricValues } from '../../../../server/external/telemetry/metrics.ts'

describe('gatherWorkerMetrics', () => {
  /** The metrics of a process that has answered some requests, is the relayer, and sees a backlog. */
  async function processWith({
    requests,
    backlog,
  }: {
    requests: number
    backlog: number
  }): Promise<MetricValues> {
    const { observe, values } = createMetrics({
      health: async () => ({ database: 'pass' }),
      isRelayer: () => true,
      relayer: async () => ({
        ...{ reachable: true, backlog, balance: null, balanceLow: false, spareGwei: null },
      }),
      queues: () => Promise.reject(new Error('unavailable')),
      witnesses: async () => [],
    })
    for (let nth = 0; nth < requests; nth += 1) observe('GET /x', 200, 0.001)
    return values()
  }

  const figuresOf = (text: string) => {
    const figure = (name: string) =>
      text
        .split('\n')
        .find((line) => line.startsWith(name))
        ?.slice(name.length + 1)
    return {
      healthy: figure('svc_healthy'),
      requests: figure('svc_http_requests_total{route="GET /x",status="200"}'),
      timed: figure('svc_http_request_seconds_count{route="GET /x"}'),
      relayers: figure('svc_relayer_active'),
      backlog: figure('svc_relayer_backlog'),
    }
  }

  async function gatherTwo() {
    const metrics = gatherWorkerMetrics()
    const values = [
      await processWith({ requests: 2, backlog: 1 }),
      await processWith({ requests: 3, backlog: 7 }),
    ]
    const answering = new Set([0, 1])
    const members = new Map(
      values.map((own, id) => [
        id,
        (round: number) => {
          if (answering.has(id)) metrics.told(id, round, own)
        },
      ]),
    )
    return { metrics, answering, members, read: async () => figuresOf(await metrics.gather(members)) }
  }

  const BOTH = { healthy: '1', requests: '5', timed: '5', relayers: '2', backlog: '7' }
  const ONE = { ...BOTH, relayers: '1', backlog: '1' }

  it('keeps only the counters of a process that does not respond, and counts it as not healthy', async () => {
    const { answering, read } = await gatherTwo()
    expect(await read()).to.deep.equal(BOTH)
    answering.delete(1)
    expect(await read()).to.deep.equal({ ...ONE, healthy: '0' })
    answering.add(1)
    expect(await read()).to.deep.equal(BOTH)
  })

  it('counts a process that has never responded as not healthy', async () => {
    const { answering, read } = await gatherTwo()
    answering.delete(1)
    expect(await read()).to.deep.equal({ ...ONE, healthy: '0', requests: '2', timed: '2' })
  })

  it('keeps the counters of processes that end at the same time, and their health no longer counts', async () => {
    const { metrics, answering, members, read } = await gatherTwo()
    await read()
    answering.delete(1)
    const ending = [metrics.left(0), metrics.left(1)]
    members.clear()
    members.set(2, (round) => metrics.told(2, round, []))
    expect((await read()).requests).to.equal('5')
    await Promise.all(ending)
    expect(await read()).to.deep.equal({
      ...{ healthy: undefined, requests: '5', timed: '5', relayers: undefined, backlog: undefined },
    })
  })
})
