import { expect } from 'chai'
import { mergeMetrics } from '../../../../server/external/telemetry/mergeMetrics.ts'
import { createMetrics, type MetricValues } from '../../../../server/external/telemetry/metrics.ts'

const LAGS = ['', '_mean', '_stddev', '_p50', '_p90', '_p99', '_max'].map(
  (suffix) => `nodejs_eventloop_lag${suffix}_seconds`,
)
const unavailable = () => Promise.reject(new Error('unavailable'))

describe('mergeMetrics', () => {
  /** Returns the metrics of a process with the same lag in every event-loop metric. */
  async function processWithLag(seconds: number): Promise<MetricValues> {
    const values = await createMetrics({
      health: unavailable,
      isRelayer: () => false,
      relayer: unavailable,
      queues: unavailable,
      witnesses: unavailable,
    }).values()
    return values.map((metric) =>
      LAGS.includes(metric.name)
        ? { ...metric, values: metric.values.map((each) => ({ ...each, value: seconds })) }
        : metric,
    )
  }

  it('shows the lag of a stuck process in every event-loop metric', async () => {
    const lags = [0.01, 0.01, 0.4, 0.01]
    const lines = (await mergeMetrics(await Promise.all(lags.map(processWithLag))).text()).split('\n')
    for (const name of LAGS) expect(lines).to.include(`${name} 0.4`)
  })
})
