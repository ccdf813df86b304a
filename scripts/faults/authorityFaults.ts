import type { FaultRow } from './faultRow.ts'

/** Faults of those who ask: more than they may do, in another name, or for what they may not learn. */
export const AUTHORITY_FAULTS: readonly FaultRow[] = [
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
      'test/server/services/accounts/{signedRequests,signedRequestService}.test.ts',
      'test/server/external/{tokens/ownTokens,credentialVerifier}.test.ts',
      'test/server/external/credentials/readCertificate.test.ts',
      'test/server/services/wallets/siwe.test.ts',
      'test/server/services/passkeys/verifyAssertion.test.ts',
      'test/contracts/identityRegistry/{registerFor,wallet}.test.ts',
    ],
  },
  {
    number: 28,
    fault: 'random boundaries, rules, requests and facts',
    promise: 'the service, the local evaluator and an independent oracle agree on every dimension',
    tests: [
      'test/core/access/{decideVerified,hiddenBoundaries,intersectPolicies,verificationRequest}.test.ts',
      'test/core/pdlss/findBoundaryExcess.test.ts',
      'test/client/policy/{compilePolicyFile,compilePolicyFileTwin}.test.ts',
      'test/server/services/verification/{policyCases,replayDecision}.test.ts',
    ],
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
    number: 37,
    fault:
      'SD-JWTs with forged, repeated, unreferenced or misplaced disclosures; certificates without the needed usage or names',
    promise: 'rejected, each by the rule of RFC 9901 §7 or RFC 5280 that it breaks',
    tests: [
      'test/core/credentials/revealDisclosures.test.ts',
      'test/server/external/credentials/{readSdJwt,readCertificate}.test.ts',
    ],
  },
]
