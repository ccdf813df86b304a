import { Counter, Gauge, Histogram, Registry } from 'prom-client'

/** What became of a request: it passed, was refused, could not be decided, or the caller left before. */
export type RequestOutcome = 'passed' | 'refused' | 'undecided' | 'left'

/** Creates the counts of one gate. */
export function createGateMetrics() {
  const registry = new Registry()
  const registers = [registry]
  const requests = new Counter({
    ...{ name: 'svc_gate_requests_total', help: 'Requests, by what became of them.', registers },
    labelNames: ['outcome'],
  })
  const failures = new Counter({
    ...{
      name: 'svc_gate_upstream_failures_total',
      help: 'Requests that passed and got no answer.',
      registers,
    },
    labelNames: ['kind'],
  })
  const open = new Gauge({
    name: 'svc_gate_open_requests',
    help: 'Requests that are being served.',
    registers,
  })
  const verification = new Histogram({
    ...{ name: 'svc_gate_verification_seconds', help: 'Time until a request was decided.', registers },
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 30],
  })
  return {
    registry,
    countRequest: (outcome: RequestOutcome) => requests.inc({ outcome }),
    countFailure: (kind: 'unreachable' | 'timeout') => failures.inc({ kind }),
    open,
    startVerification: () => verification.startTimer(),
  }
}
