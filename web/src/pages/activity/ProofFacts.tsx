import type { ProofDocument } from '@svc/core/audit/proofDocument.ts'
import { CopyText } from '../../parts/code/CopyText.tsx'
import { Facts } from '../../parts/Facts.tsx'
import { describeEntry } from '../../parts/words/describeEntry.ts'

/** The coordinates of a proof: its place in the log, and that of its batch on the chain. */
export function ProofFacts({ proof }: { proof: ProofDocument }) {
  return (
    <Facts
      facts={[
        ['Entry', describeEntry(proof)],
        ['Leaf hash', <CopyText key="leaf" text={proof.leafHash} name="leaf hash" />],
        ['Root', <CopyText key="root" text={proof.root} name="root" />],
        ['Batch', `#${proof.batch}, in block ${proof.blockNumber.toLocaleString('en')}`],
        ['Transaction', <CopyText key="tx" text={proof.transactionHash} name="transaction hash" />],
        ['Contract', <CopyText key="contract" text={proof.contract} name="audit log address" />],
        ['Log', <CopyText key="log" text={proof.logId} name="log identifier" />],
        ['Chain', proof.chainId],
      ]}
    />
  )
}
