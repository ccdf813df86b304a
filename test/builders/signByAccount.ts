import { accountSigner } from '../../client/agent/agentSigner.ts'
import { signHttpRequest } from '../../client/agent/signHttpRequest.ts'
import type { MessageSigner } from '../../client/agent/signRequest.ts'

/** The chain id of the local chain. */
const CHAIN_ID = 31_337

/**
 * Signs a request of an agent with an Ethereum account (ERC-8128), and returns what the counterparty reports about it.
 *
 * @param sent.named The account that the signature names; by default the one that signs.
 */
export async function signByAccount(
  account: MessageSigner,
  {
    svcId,
    url,
    now,
    named = account.address,
  }: { svcId: string; url: string; now: number; named?: `0x${string}` },
) {
  const signer = accountSigner({ ...account, address: named }, { chainId: CHAIN_ID })
  const request = { method: 'GET', url }
  const headers = await signHttpRequest(signer, request, { agentId: svcId, now: () => now })
  return {
    ...{ method: 'GET', targetUri: url, 'x-svc-id': svcId },
    ...{ signature: headers.signature, signatureInput: headers['signature-input'] },
  }
}
