import type { FaultRow } from './faultRow.ts'

/** Faults of the relayer, of the chain and its nodes, and of what is proven there. */
export const CHAIN_FAULTS: readonly FaultRow[] = [
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
      'test/server/services/relayer/{faults,reorganisation,faultyNode,divergingNode,walletBalance}.test.ts',
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
    number: 29,
    fault: 'contract calls in any order, by any account, with any arguments',
    promise: 'the invariants hold; where the prover can handle the code, no argument causes an overflow',
    tests: ['test/scripts/contractProperties.test.ts'],
  },
]
