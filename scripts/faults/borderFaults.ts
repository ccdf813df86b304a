import type { FaultRow } from './faultRow.ts'

/** Faults of requests, of hosts that are called, and of how much is asked for at once. */
export const BORDER_FAULTS: readonly FaultRow[] = [
  {
    number: 6,
    fault:
      'a client disconnects midway, retries, or sends concurrent copies under one attempt or Idempotency-Key',
    promise: 'one event, one spend, one use, the same response',
    tests: ['test/faults/copies.test.ts'],
  },
  {
    number: 15,
    fault:
      'wrong types, deep and huge JSON, invalid bytes, headers, paths, methods and media types, with every kind of credential',
    promise:
      'a documented response, of the documented schema and with the documented headers, never 5xx; memory stays flat',
    tests: ['test/fuzz/{hostileInput,promisedResponses,slowClients}.test.ts', 'test/server/app.test.ts'],
  },
  {
    number: 16,
    fault: 'globs designed to be slow, and 10,000 of them',
    promise:
      'the matcher takes as many steps for a long text as for a short one, at most four for each character of the glob',
    tests: ['test/core/glob/*.test.ts'],
  },
  {
    number: 17,
    fault:
      'private addresses in every URL that is fetched, DNS rebinding, redirects, slow and long responses',
    promise:
      'private addresses are refused after DNS resolution, only the checked address is connected to, redirects are not followed, time and size are bounded',
    tests: [
      'test/server/external/privateAddresses.test.ts',
      'test/server/external/outbound/outboundHttp.test.ts',
      'test/fuzz/fetchedAddresses.test.ts',
    ],
  },
  {
    number: 22,
    fault: 'twice the load that the service can handle',
    promise:
      'goodput stays near the peak, the rest gets 429 or 503 with Retry-After, and latency recovers afterwards',
    tests: ['test/faults/overload.test.ts', 'test/server/middleware/loadGate.test.ts'],
  },
  {
    number: 23,
    fault: 'SIGTERM under load',
    promise: 'every accepted request gets its response and is stored before the process exits',
    tests: ['test/faults/drain.test.ts', 'test/server/compose/closeServer.test.ts'],
  },
  {
    number: 26,
    fault: 'sustained load',
    promise: 'memory, file descriptors and latency stay flat',
    tests: ['test/faults/soak.test.ts'],
  },
  {
    number: 32,
    fault:
      'spellings of a denied path that routers fold: letter case, //, ;, encoded, dot segments, trailing slash, absolute form',
    promise: 'denied through the gateways for Express, Fastify and Fetch-style handlers',
    tests: ['test/faults/foldedPaths.test.ts'],
  },
  {
    number: 36,
    fault: 'an address that has used up its public budget; commits that fail for 20 seconds',
    promise:
      'health, metrics and key sets are answered; the health fails within a second of a failing commit and passes again by itself',
    tests: ['test/faults/busyHealth.test.ts', 'test/server/services/health/*.test.ts'],
  },
  {
    number: 39,
    fault: 'svc-gate: callers that leave, a server that fails and returns, bodies of up to a gigabyte',
    promise:
      'nothing passes without a grant, every caller gets the response to its own request, and the process stays up with flat memory',
    tests: ['test/gate/{manyRequests,largeBodies}.test.ts'],
  },
]
