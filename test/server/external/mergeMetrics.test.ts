import { expect } from 'chai'
import { mergeMetrics } from '../../../server/external/mergeMetrics.ts'
import { createMetrics, type MetricValues } from '../../../server/external/metrics.ts'

const LAGS = ['', '_mean', '_stddev', '_p50', '_p90', '_p99', '_max'].map(
  (of) => `nodejs_eventloop_lag${of}_seconds`,
)
const unasked = () => Promise.reject(new Error('not asked'))

describe('what several processes count, merged', () => {
  /** All that one process says, with the same lag of its event loop in every figure of it. */
  async function processWithLag(seconds: number): Promise<MetricValues> {
    const values = await createMetrics({ relayer: unasked, queues: unasked }).values()
    return values.map((metric) =>
      LAGS.includes(metric.name)
        ? { ...metric, values: metric.values.map((each) => ({ ...each, value: seconds })) }
        : metric,
    )
  }

  it('shows the lag of the one that is stuck, in each figure', async () => {
    const lags = [0.01, 0.01, 0.4, 0.01]
    const lines = (await mergeMetrics(await Promise.all(lags.map(processWithLag))).text()).split('\n')
    for (const name of LAGS) expect(lines).to.include(`${name} 0.4`)
  })
})
