import type { ProofDocument } from '@svc/core/audit/proofDocument.ts'

type Input = {
  origin: string
  recordId: string
  proof: Pick<ProofDocument, 'logId' | 'contract'>
  /** A node that anyone may ask; null leaves the choice to the reader. */
  publicRpcUrl: string | null
}

/**
 * The command that checks a record against the chain, in one line for a shell in the project's folder. The identifier is
 * encoded, because it comes from the address bar.
 *
 * Source: docs/cli.md.
 */
export function buildVerifyCommand({ origin, recordId, proof, publicRpcUrl }: Input): string {
  const record = `${origin}/api/audit/records/${encodeURIComponent(recordId).replaceAll("'", '%27')}/proof`
  const rpc = publicRpcUrl === null ? '"$RPC_URL"' : `'${publicRpcUrl.replaceAll("'", '%27')}'`
  return `npx svc audit verify --rpc ${rpc} --log ${proof.logId} --contract ${proof.contract} --record '${record}'`
}
