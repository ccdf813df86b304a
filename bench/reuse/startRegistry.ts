import { generateKeyPairSync } from 'node:crypto'
import { RECEIPT_TYPE, STATUS_LIST_PATH } from '@svc/core/receipt/receipt.ts'
import { createReceiptSigner } from '../../server/external/keys/receiptSigner.ts'
import { encodeStatusList } from '../../server/external/tokens/encodeStatusList.ts'
import { createAgentKey } from '../../test/builders/createAgentKey.ts'
import { RECEIPT_CLAIMS } from '../../test/builders/receiptClaims.ts'
import { listen } from '../../test/harness/peers/listen.ts'
import { buildPeerResponse } from '../peers/buildPeerResponse.ts'

/**
 * Starts a registry as a gateway sees it, with grants and receipts for one agent, keys, a status list, and reports of uses.
 *
 * It grants everything, and counts the requests that it decides and the uses that are reported.
 */
export async function startRegistry() {
  const signer = createReceiptSigner(generateKeyPairSync('ed25519').privateKey)
  const agentKey = createAgentKey()
  const counts = { asked: 0, reported: 0 }
  const now = () => Math.floor(Date.now() / 1_000)
  const list = encodeStatusList([])

  function grant() {
    counts.asked += 1
    const { sub, aud } = RECEIPT_CLAIMS
    const status = { status_list: { idx: 0, uri: `${server.url}${STATUS_LIST_PATH}0` } }
    const claims = { ...RECEIPT_CLAIMS, iss: server.url, iat: now() - 60, exp: now() + 3_600, status }
    const receipt = signer.sign(RECEIPT_TYPE, { ...claims, cnf: { jkt: agentKey.kid } })
    return { ...buildPeerResponse(), agentId: sub, counterpartyId: aud, identityProof: 'signature', receipt }
  }

  function record(text: string) {
    const { uses } = JSON.parse(text) as { uses: { useId: string }[] }
    counts.reported += uses.length
    return { uses: uses.map(({ useId }) => ({ useId, status: 'recorded', contradiction: null })) }
  }

  function listStatuses(): string {
    const claims = { sub: `${server.url}${STATUS_LIST_PATH}0`, iat: now(), exp: now() + 600, ttl: 30 }
    return signer.sign('statuslist+jwt', { ...claims, status_list: { bits: 1, lst: list } })
  }

  const answers: Readonly<Record<string, (body: string) => unknown>> = {
    '/api/agents/verify-access': grant,
    '/api/agents/verify-access/uses': record,
    [`/api/endpoints/${RECEIPT_CLAIMS.aud}`]: () => ({ success: true, endpoint: { routes: [] } }),
    '/.well-known/jwks.json': () => ({ keys: [signer.publicKey] }),
    [`/.well-known/agents/${RECEIPT_CLAIMS.sub}/jwks.json`]: () => ({
      keys: [{ ...agentKey.jwk, kid: agentKey.kid }],
    }),
    [`${STATUS_LIST_PATH}0`]: listStatuses,
  }
  const server = await listen(async (req, res) => {
    let body = ''
    for await (const chunk of req) body += chunk
    const answer = answers[req.url ?? '']?.(body)
    res.setHeader('content-type', 'application/json')
    res.end(typeof answer === 'string' ? answer : JSON.stringify(answer))
  })
  return { url: server.url, stop: server.stop, counts, agentKey }
}
