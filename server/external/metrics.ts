import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client'

/** Seconds; from a cached answer to a stuck disk. */
const LATENCY_BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5]

/** What an operator's Prometheus reads at `GET /metrics`. */
export function createMetrics() {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const requests = new Counter({
    name: 'svc_http_requests_total',
    help: 'Requests answered, by route and status.',
    labelNames: ['route', 'status'],
    registers: [registry],
  })
  const latency = new Histogram({
    name: 'svc_http_request_seconds',
    help: 'Time from the first byte to the answer, by route.',
    labelNames: ['route'],
    buckets: LATENCY_BUCKETS,
    registers: [registry],
  })
  const counterOf = remembered((key) => {
    const at = key.lastIndexOf(' ')
    return requests.labels(key.slice(0, at), key.slice(at + 1))
  })
  const timerOf = remembered((route) => latency.labels(route))
  return {
    /** Counts one answered request. */
    observe(route: string, status: number, seconds: number): void {
      counterOf(`${route} ${status}`).inc()
      timerOf(route).observe(seconds)
    },
    /** The registry in the text format of Prometheus. */
    read: () => registry.metrics(),
    contentType: registry.contentType,
  }
}

/** Labelled children are kept, because looking one up costs more than counting; routes and statuses are few. */
function remembered<Child>(make: (key: string) => Child): (key: string) => Child {
  const children = new Map<string, Child>()
  return (key) => {
    const known = children.get(key)
    if (known) return known
    const child = make(key)
    children.set(key, child)
    return child
  }
}
