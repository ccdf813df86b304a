/** Code to change, and the tests that should notice. */
export type MutationGroup = {
  name: string
  /** What the code does, for the reader of docs/mutation.md. */
  meaning: string
  /** Files or patterns, relative to the root. */
  files: readonly string[]
  tests: readonly string[]
  /**
   * Whether to also change code that runs once when its file is loaded, such as a table. Each such change requires a new
   * process and all tests of the group; any other requires only the tests that reach it.
   */
  withLoading: boolean
}

/** The groups of `npm run test:mutation`. */
export const MUTATION_GROUPS: readonly MutationGroup[] = [
  {
    name: 'merkle',
    meaning: 'leaves, trees, proofs and proof documents',
    files: ['core/audit/**/*.ts', 'core/bytes.ts'],
    tests: ['test/core/audit/*.test.ts', 'test/core/bytes.test.ts'],
    withLoading: false,
  },
  {
    name: 'evaluator',
    meaning: 'the decision, its checks, and what an owner sees of it',
    files: [
      'core/access/{check,decide}*.ts',
      'core/access/{outcomes,allowlist,counters,intersectPolicies}.ts',
      'core/fieldErrors.ts',
    ],
    tests: [
      'test/core/access/*.test.ts',
      'test/core/pdlss/*.test.ts',
      'test/core/time/*.test.ts',
      'test/core/fieldErrors.test.ts',
    ],
    withLoading: false,
  },
  {
    name: 'boundary',
    meaning: 'parsing, compilation, inheritance, time windows and patterns of boundaries',
    files: ['core/pdlss/*.ts', 'core/time/*.ts', 'core/glob/*.ts'],
    tests: [
      'test/core/pdlss/*.test.ts',
      'test/core/time/*.test.ts',
      'test/core/glob/*.test.ts',
      'test/core/access/*.test.ts',
      'test/core/commerce/*.test.ts',
    ],
    withLoading: false,
  },
  {
    name: 'authorisation',
    meaning: 'who the caller is, and which operations it may call',
    files: [
      'server/middleware/authorise.ts',
      'server/middleware/authenticate.ts',
      'server/services/actsForOf.ts',
      'server/services/mayWriteFor.ts',
      'server/services/requireElevation.ts',
      'server/services/accounts/{,apiKeys/}authenticate*.ts',
      'server/services/endpoints/findOwnEndpoint.ts',
      'server/services/approvals/findOwnApproval.ts',
      'server/services/registrationRequests/findOwnRequest.ts',
    ],
    tests: [
      'test/server/middleware/authenticate.test.ts',
      'test/server/middleware/serve.test.ts',
      'test/server/services/callers.test.ts',
      'test/server/services/endpoints/viewer.test.ts',
      'test/server/services/registrationRequests/outreach.test.ts',
      'test/server/services/accounts/signedRequests.test.ts',
      'test/server/services/accounts/signedRequestService.test.ts',
      'test/server/services/accounts/apiKeys/apiKeys.test.ts',
      'test/server/services/passkeys/passkeyRoutes.test.ts',
      'test/server/services/passkeys/passkeySignIn.test.ts',
      'test/server/services/registrationRequests/requestByKey.test.ts',
      'test/server/services/registrationRequests/approveRequestByKey.test.ts',
      'test/server/routes/authorisationWalk.test.ts',
    ],
    withLoading: true,
  },
  {
    name: 'relayer',
    meaning: 'the steps that put an intent on chain exactly once, and its cost limits',
    files: [
      'server/services/relayer/{prepare,send,track}Intents.ts',
      'server/services/relayer/{reopenLost,fillGap,replaceTransaction}.ts',
      'server/services/relayer/{budget,failures}.ts',
      'core/fees.ts',
    ],
    tests: [
      'test/core/fees.test.ts',
      'test/server/services/relayer/{budget,failures,fillGap,prepareIntents,reopenLost,sendIntents,trackIntents}.test.ts',
      'test/server/services/relayer/handlers/{custodySearch,findBlocksSince}.test.ts',
      'test/server/services/relayer/relayer.test.ts',
      'test/server/services/relayer/faults.test.ts',
      'test/server/services/relayer/log.test.ts',
      'test/server/services/relayer/steps.test.ts',
      'test/server/services/relayer/anchorsFirst.test.ts',
      'test/server/services/relayer/reorganisation.test.ts',
    ],
    withLoading: false,
  },
]
