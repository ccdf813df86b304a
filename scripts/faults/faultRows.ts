/** One fault, what is promised when it happens, and the tests that hold the service to it. */
export type FaultRow = {
  number: number
  fault: string
  promise: string
  /** Files or patterns of mocha, seen from the root; none where nothing measures it yet. */
  tests: readonly string[]
}

/** The faults of which `npm run test:faults` makes docs/reliability.md; `npm run test:fuzz` runs those of hostile input. */
export const FAULT_ROWS: readonly FaultRow[] = [
  {
    number: 1,
    fault: 'power lost at any write; what was not synced is dropped, reordered or torn',
    promise:
      'every answered decision has its event and its audit entry; the same replay finds losses without syncs',
    tests: ['test/faults/powerLoss.test.ts'],
  },
  {
    number: 2,
    fault: 'kill -9 under 64 connections',
    promise: 'nothing that was answered is lost, nothing is stored twice; the restart needs no repair',
    tests: ['test/faults/kill.test.ts'],
  },
  {
    number: 3,
    fault: 'fsync fails with EIO',
    promise: 'no answer after a failed commit; health fails until somebody has looked at the disk',
    tests: ['test/faults/failingSync.test.ts'],
  },
  {
    number: 4,
    fault: 'disk full',
    promise: 'never a grant that is not recorded; goes on without a restart when there is space',
    tests: ['test/faults/fullDisk.test.ts'],
  },
  {
    number: 5,
    fault: 'SQLITE_BUSY: another writer, a long reader, a backup that runs',
    promise: 'a bounded wait, then 503 with Retry-After; no partial group',
    tests: ['test/faults/busyDatabase.test.ts', 'test/server/store/recorder/recorder.sqlite.test.ts'],
  },
  {
    number: 6,
    fault: 'a client drops in the middle, retries, sends copies at once under one attempt or Idempotency-Key',
    promise: 'one event, one spend, one use, the same answer',
    tests: ['test/faults/copies.test.ts'],
  },
  {
    number: 7,
    fault: 'approvals sent again, expired, of another agent, value or rule; approve and deny racing',
    promise: 'one passes once; deny wins',
    tests: ['test/server/services/approvals/races.test.ts'],
  },
  {
    number: 8,
    fault: 'hourly cap and cumulative spend under parallel calls, and a crash in between',
    promise: 'never passed',
    tests: ['test/faults/capsAcrossCrash.test.ts', 'test/server/store/recorder/recorder.test.ts'],
  },
  {
    number: 9,
    fault: 'clocks that change, leap days, half and quarter hours, a clock set back',
    promise: 'windows are those of the named zone, as an independent oracle sees them',
    tests: ['test/core/time/*.test.ts'],
  },
  {
    number: 10,
    fault: 'relayer killed before and after every commit, signature and sending',
    promise: 'each identity and batch on chain exactly once',
    tests: ['test/server/services/relayer/crash.test.ts', 'test/faults/killedRelayer.test.ts'],
  },
  {
    number: 11,
    fault:
      'reorganisations; stuck, replaced, underpriced; a node that lies, lags or is of another chain; an empty purse',
    promise: 'never "verified" before its depth, back to pending after; the backlog drains by itself',
    tests: [
      'test/server/services/relayer/{faults,reorganisation,faultyNode,walletBalance}.test.ts',
      'test/faults/{reorganisation*,chainReplayed}.test.ts',
    ],
  },
  {
    number: 12,
    fault: 'chain away while decisions are asked for',
    promise: 'decisions go on, and all are anchored later',
    tests: ['test/faults/{chainAway,chainAwayUnderLoad}.test.ts'],
  },
  {
    number: 13,
    fault: 'rows, roots, proofs and exports changed, swapped or cut',
    promise: "the auditor's tool finds each, and raises no false alarm",
    tests: ['test/scripts/mutatedProofs.test.ts', 'test/scripts/mutatedFiles.test.ts'],
  },
  {
    number: 14,
    fault: 'PostgreSQL killed, connections dropped, locks not given',
    promise: 'as with the file: nothing answered is lost, no cap passed, 503 meanwhile, no restart',
    tests: ['test/faults/postgres.test.ts', 'test/server/store/recorder/recorder.postgres.test.ts'],
  },
  {
    number: 15,
    fault:
      'wrong types, deep and huge JSON, broken bytes, headers, paths, methods and media types, of every credential',
    promise: 'a documented answer with the one body of errors, never 5xx; memory flat',
    tests: ['test/fuzz/{hostileInput,slowClients}.test.ts', 'test/server/app.test.ts'],
  },
  {
    number: 16,
    fault: 'globs made to be slow, and 10,000 of them',
    promise: 'steps grow with the text alone: 100 times the text, at most 120 times the steps',
    tests: ['test/core/glob/*.test.ts'],
  },
  {
    number: 17,
    fault:
      'private addresses in every URL that is fetched, names bound anew, redirects, slow and long answers',
    promise:
      'refused after resolving, the judged address connected to, nothing followed, bounded in time and size',
    tests: [
      'test/server/external/privateAddresses.test.ts',
      'test/server/external/outboundHttp.test.ts',
      'test/fuzz/fetchedAddresses.test.ts',
    ],
  },
  {
    number: 18,
    fault: 'every route asked with every kind of credential, and with what belongs to others',
    promise: 'the documented code, and nothing told of what is there',
    tests: ['test/server/routes/authorisationWalk.test.ts'],
  },
  {
    number: 19,
    fault: 'a verifier that searches for limits by bisection',
    promise: 'no limit, list or threshold in any byte of any answer, log or webhook',
    tests: ['test/server/services/verification/leaks.test.ts'],
  },
  {
    number: 20,
    fault: 'every secret there is, looked for after all that can go wrong with it',
    promise:
      'in no line of the log, no answer but the one that shows it, no row and no file but those of keys and mails',
    tests: ['test/faults/secrets.test.ts'],
  },
  {
    number: 21,
    fault:
      'signatures altered at any byte, old, sent again, of another key, malleated, of another chain or domain',
    promise: 'refused',
    tests: [
      'test/server/services/accounts/signedRequests.test.ts',
      'test/server/external/{ownTokens,credentialVerifier}.test.ts',
      'test/server/external/credentials/readCertificate.test.ts',
      'test/server/services/wallets/siwe.test.ts',
      'test/server/services/passkeys/verifyAssertion.test.ts',
      'test/contracts/identityRegistry/{registerFor,wallet}.test.ts',
    ],
  },
  {
    number: 22,
    fault: 'twice the load that can be served',
    promise:
      'goodput stays near the peak, the rest is refused with 429 or 503 and Retry-After, quick again afterwards',
    tests: ['test/faults/overload.test.ts', 'test/server/middleware/loadGate.test.ts'],
  },
  {
    number: 23,
    fault: 'SIGTERM under load',
    promise: 'what was accepted is answered and stored, then the process ends',
    tests: ['test/faults/drain.test.ts', 'test/server/compose/closeServer.test.ts'],
  },
  {
    number: 24,
    fault: 'migration of a large log killed in the middle',
    promise: 'the next start finishes it; counts and hashes are equal',
    tests: ['test/faults/killedMigration.test.ts'],
  },
  {
    number: 25,
    fault: 'backup while it writes, then restored',
    promise: 'a point in time, and its log verifies',
    tests: ['test/faults/backup.test.ts', 'test/server/services/audit/checkStoredLog.test.ts'],
  },
  {
    number: 26,
    fault: 'load for a long time',
    promise: 'memory, descriptors and latency stay flat',
    tests: ['test/faults/soak.test.ts'],
  },
  {
    number: 28,
    fault: 'random boundaries, rules, requests and facts',
    promise: 'service, local evaluator and an independent oracle decide alike, dimension by dimension',
    tests: [
      'test/core/access/{decideVerified,intersectPolicies,verificationRequest}.test.ts',
      'test/core/pdlss/findBoundaryExcess.test.ts',
      'test/client/policy/{compilePolicyFile,compilePolicyFileTwin}.test.ts',
      'test/server/services/verification/{policyCases,replayDecision}.test.ts',
    ],
  },
  {
    number: 29,
    fault: 'calls of the contracts in any order, by anybody, with any arguments',
    promise: 'what must always hold does; where the prover gets, nothing overflows for any argument there is',
    tests: ['test/scripts/contractProperties.test.ts'],
  },
]
