import type { ProofDocument } from '@svc/core/audit/proofDocument.ts'

/** Names an entry of the log, whose numbers begin at 0: the last of 23 is 22, so that *22 of 23* would not be the last. */
export function describeEntry({ index, treeSize }: Pick<ProofDocument, 'index' | 'treeSize'>): string {
  const [number, last] = [index, treeSize - 1].map((one) => one.toLocaleString('en'))
  return `${number} (of 0 to ${last})`
}
