/** One fault, the guarantee when it happens, and the tests of that guarantee. */
export type FaultRow = {
  number: number
  fault: string
  promise: string
  /** Files or patterns for mocha, relative to the root. */
  tests: readonly string[]
}

/** The rows of docs/reliability.md, measured by `npm run test:faults`; `npm run test:fuzz` runs those of hostile input. */
export const FAULT_ROWS: readonly FaultRow[] = [
  {
    number: 1,
    fault: 'power loss at any write; unsynced writes are dropped, reordered or torn',
    promise:
      'every decision that was returned has its event and its audit entry; without syncs, the same replay finds losses',
    tests: ['test/faults/powerLoss.test.ts'],
  },
  {
    number: 2,
    fault: 'kill -9 under 64 connections',
    promise: 'no returned decision is lost, nothing is stored twice, and the restart needs no repair',
    tests: ['test/faults/kill.test.ts'],
  },
  {
    number: 3,
    fault: 'fsync fails with EIO',
    promise:
      'no decision is returned after a failed commit; the health check fails until an operator has checked the disk',
    tests: ['test/faults/failingSync.test.ts'],
  },
  {
    number: 4,
    fault: 'disk full',
    promise:
      'no grant is returned without a record; the service recovers without a restart once there is space',
    tests: ['test/faults/fullDisk.test.ts'],
  },
  {
    number: 5,
    fault: 'SQLITE_BUSY: another writer, a long reader, a running backup',
    promise: 'a bounded wait, then 503 with Retry-After; no group is committed partially',
    tests: ['test/faults/busyDatabase.test.ts', 'test/server/store/recorder/recorder.sqlite.test.ts'],
  },
  {
    number: 6,
    fault:
      'a client disconnects midway, retries, or sends concurrent copies under one attempt or Idempotency-Key',
    promise: 'one event, one spend, one use, the same response',
    tests: ['test/faults/copies.test.ts'],
  },
  {
    number: 7,
    fault: 'approvals replayed, expired, or of another agent, value or rule; approve and deny racing',
    promise: 'an approval is used at most once; deny wins',
    tests: ['test/server/services/approvals/races.test.ts'],
  },
  {
    number: 8,
    fault: 'hourly cap and cumulative spend under parallel calls, with a crash in between',
    promise: 'never exceeded',
    tests: ['test/faults/capsAcrossCrash.test.ts', 'test/server/store/recorder/recorder.test.ts'],
  },
  {
    number: 9,
    fault: 'daylight saving changes, leap days, offsets of half and quarter hours, a clock set back',
    promise: 'time windows follow the named zone, as computed by an independent oracle',
    tests: ['test/core/time/*.test.ts'],
  },
  {
    number: 10,
    fault: 'relayer killed before and after every commit, signature and broadcast',
    promise: 'each identity and batch is on chain exactly once',
    tests: [
      'test/server/services/relayer/crash.test.ts',
      'test/faults/{killedRelayer,rotatedRelayer}.test.ts',
    ],
  },
  {
    number: 11,
    fault:
      'reorganisations; stuck, replaced and underpriced transactions; a node that lies, lags or is on another chain; an empty wallet',
    promise:
      'never "verified" before the required depth, back to pending after a reorganisation; the backlog drains by itself',
    tests: [
      'test/server/services/relayer/{faults,reorganisation,faultyNode,walletBalance}.test.ts',
      'test/faults/{reorganisation*,chainReplayed}.test.ts',
    ],
  },
  {
    number: 12,
    fault: 'chain unreachable while decisions are requested',
    promise: 'decisions continue, and all are anchored later',
    tests: ['test/faults/{unreachableChain,unreachableChainUnderLoad}.test.ts'],
  },
  {
    number: 13,
    fault: 'rows, roots, proofs and exports altered, swapped or truncated',
    promise: "the auditor's tool detects each of them and raises no false alarm",
    tests: ['test/cli/audit/mutatedProofs.test.ts', 'test/cli/audit/mutatedFiles.test.ts'],
  },
  {
    number: 14,
    fault: 'PostgreSQL killed, connections dropped, locks not granted',
    promise:
      'as with SQLite: no returned decision is lost and no cap exceeded; 503 meanwhile; recovery without a restart',
    tests: ['test/faults/postgres.test.ts', 'test/server/store/recorder/recorder.postgres.test.ts'],
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
    number: 18,
    fault: "every route requested with every kind of credential, and with other accounts' identifiers",
    promise: 'the documented error code, which does not reveal what exists',
    tests: ['test/server/routes/authorisationWalk.test.ts'],
  },
  {
    number: 19,
    fault: 'a verifier that searches for limits by bisection',
    promise: 'no limit, list or threshold appears in any response, log or webhook',
    tests: ['test/server/services/verification/leaks.test.ts'],
  },
  {
    number: 20,
    fault: 'every secret, searched for after everything that can go wrong with it',
    promise:
      'it is in no log line, no response except the one that shows it, and no row or file except those of keys and mails',
    tests: ['test/faults/secrets.test.ts'],
  },
  {
    number: 21,
    fault: 'signatures altered at any byte, expired, replayed, malleated, or of another key, chain or domain',
    promise: 'rejected',
    tests: [
      'test/server/services/accounts/signedRequests.test.ts',
      'test/server/external/{tokens/ownTokens,credentialVerifier}.test.ts',
      'test/server/external/credentials/readCertificate.test.ts',
      'test/server/services/wallets/siwe.test.ts',
      'test/server/services/passkeys/verifyAssertion.test.ts',
      'test/contracts/identityRegistry/{registerFor,wallet}.test.ts',
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
    number: 24,
    fault: 'migration of a large log killed midway',
    promise: 'the next start finishes it, with equal counts and hashes',
    tests: ['test/faults/killedMigration.test.ts'],
  },
  {
    number: 25,
    fault: 'backup taken during writes, then restored',
    promise: 'the data is a consistent snapshot, and its log verifies',
    tests: ['test/faults/backup.test.ts', 'test/server/services/audit/checkStoredLog.test.ts'],
  },
  {
    number: 26,
    fault: 'sustained load',
    promise: 'memory, file descriptors and latency stay flat',
    tests: ['test/faults/soak.test.ts'],
  },
  {
    number: 28,
    fault: 'random boundaries, rules, requests and facts',
    promise: 'the service, the local evaluator and an independent oracle agree on every dimension',
    tests: [
      'test/core/access/{decideVerified,intersectPolicies,verificationRequest}.test.ts',
      'test/core/pdlss/findBoundaryExcess.test.ts',
      'test/client/policy/{compilePolicyFile,compilePolicyFileTwin}.test.ts',
      'test/server/services/verification/{policyCases,replayDecision}.test.ts',
    ],
  },
  {
    number: 29,
    fault: 'contract calls in any order, by any account, with any arguments',
    promise: 'the invariants hold; where the prover can handle the code, no argument causes an overflow',
    tests: ['test/scripts/contractProperties.test.ts'],
  },
  {
    number: 30,
    fault:
      'a caller that names an agent and is not it: stolen, replayed, cut, altered, expired and future proofs',
    promise:
      'granted nothing where the endpoint or the agent’s owner requires a signature; a proof is good once and a revoked key refused in every process',
    tests: [
      'test/faults/stolenProofs.test.ts',
      'test/processes/proofRaces.test.ts',
      'test/server/store/recorder/proofUses.test.ts',
      'test/server/external/proofs/*.test.ts',
    ],
  },
  {
    number: 31,
    fault:
      'a stranger’s campaign: free organisations, many keys, many addresses, step-ups, dry runs, challenges, registrations',
    promise:
      'an agent’s caps, sub-agents, score and Hard Limits, its owner’s approvals and mails, hosts of others and the gas are affected within fixed bounds per account or network',
    tests: [
      'test/faults/strangersCampaign.test.ts',
      'test/server/services/verification/{unprovenRequests,behaviourSources,foreignDryRuns,limitProbing,probing/createLimitWatch,refusedCounterparty,neededChallenge}.test.ts',
      'test/server/services/agents/registration/registrationBudget.test.ts',
      'test/server/services/relayer/strangersShare.test.ts',
      'test/server/services/endpoints/registerOnHost.test.ts',
      'test/server/compose/composeBudgets.test.ts',
    ],
  },
  {
    number: 32,
    fault:
      'spellings of a denied path that routers fold: letter case, //, ;, encoded, dot segments, trailing slash, absolute form',
    promise: 'denied through the gateways for Express, Fastify and Fetch-style handlers',
    tests: ['test/faults/foldedPaths.test.ts'],
  },
  {
    number: 33,
    fault:
      'primary database killed under load, with a synchronous standby that is promoted; the former primary comes back',
    promise:
      'no returned decision is lost; the service follows without a restart, grants nothing on outdated facts and does not return to the former primary',
    tests: [
      'test/faults/failover.test.ts',
      'test/server/store/database/connections/{findWritableHost,readStandbyFault}.test.ts',
      'test/server/config/splitDatabaseUrl.test.ts',
    ],
  },
  {
    number: 34,
    fault:
      'the former release and this one, and this one and a next one, side by side over one database under load, rolled forward and back',
    promise:
      'no error except while a process is being stopped, nothing lost, caps, proofs, approvals and revoked keys exact over both, if the migrations in between only expand the tables',
    tests: [
      'test/processes/{formerRelease,twoReleases}.test.ts',
      'test/server/store/database/runMigrations.test.ts',
    ],
  },
  {
    number: 35,
    fault:
      'the sequencer killed at each of its statements; two sequencers at once; a clock that is wrong by a day',
    promise: 'every record gets a place once, none is skipped, and the log has no gap',
    tests: ['test/server/store/audit/{killedSequencer,sequencer}.postgres.test.ts'],
  },
  {
    number: 36,
    fault: 'an address that has used up its public budget; commits that fail for 20 seconds',
    promise:
      'health, metrics and key sets are answered; the health fails within a second of a failing commit and passes again by itself',
    tests: ['test/faults/busyHealth.test.ts', 'test/server/services/health/*.test.ts'],
  },
  {
    number: 37,
    fault:
      'SD-JWTs with forged, repeated, unreferenced or misplaced disclosures; certificates without the needed usage or names',
    promise: 'rejected, each by the rule of RFC 9901 §7 or RFC 5280 that it breaks',
    tests: [
      'test/core/credentials/revealDisclosures.test.ts',
      'test/server/external/credentials/{readSdJwt,readCertificate}.test.ts',
    ],
  },
  {
    number: 38,
    fault:
      'four processes over one PostgreSQL; every few seconds one of them, the relayer or the session that gives places is killed',
    promise:
      'every returned decision is placed, anchored and proven exactly once; caps and approvals are exact, whichever process counts',
    tests: ['test/faults/killedProcesses.test.ts', 'test/server/store/recorder/slowCommits.postgres.test.ts'],
  },
  {
    number: 39,
    fault: 'svc-gate: callers that leave, a server that fails and returns, bodies of up to a gigabyte',
    promise:
      'nothing passes without a grant, every caller gets the response to its own request, and the process stays up with flat memory',
    tests: ['test/gate/{manyRequests,largeBodies}.test.ts'],
  },
]
