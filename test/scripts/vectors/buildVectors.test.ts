import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createGateway } from '@svc/client'
import { compileRouteGate } from '@svc/client/gateway/compileRouteGate.ts'
import { createIssuerKeys, type ReceiptCheck, verifyReceipt } from '@svc/client/receipts'
import { verifyWebhook } from '@svc/client/webhooks'
import { parseVerificationRequest } from '@svc/core/access/verificationRequest.ts'
import { expect } from 'chai'
import { buildVectors } from '../../../scripts/vectors/buildVectors.ts'
import { createProofVerifier } from '../../../server/external/proofs/createProofVerifier.ts'
import { importProofKeys } from '../../../server/external/proofs/importProofKeys.ts'
import { createSignatureVerifier } from '../../../server/external/signatureVerifier.ts'
import {
  INTENT_VECTORS,
  REQUEST_VECTORS,
  readIntentVector,
  readRequestVector,
} from '../../builders/proofVectors.ts'
import { openFakeService } from '../../client/gateway/openFakeService.ts'

const FOLDER = join(import.meta.dirname, '../../vectors')
const ENDPOINT = { svceId: 'SVCE-7VK9WufhHc52ySaxQoLo8E', authorities: ['shop.example'] }
const AGENT = 'SVC-7VK9WufhHc52ySaxQoLo8E'

/** A file of `test/vectors`; its parts are whatever the test expects. */
const read = (name: string) => JSON.parse(readFileSync(join(FOLDER, `${name}.json`), 'utf8'))

type Sent = { method: string; url: string; headers: Record<string, string>; body?: string }

describe('test/vectors', () => {
  it('are up to date', async () => {
    const vectors = await buildVectors(read)
    const files = readdirSync(FOLDER).map((file) => file.replace('.json', ''))
    expect(files.sort()).to.deep.equal(Object.keys(vectors).sort())
    for (const [name, text] of Object.entries(vectors)) {
      expect(
        readFileSync(join(FOLDER, `${name}.json`), 'utf8'),
        `node scripts/writeVectors.ts: ${name}`,
      ).to.equal(text)
    }
  })

  it('contain receipts with the verdict of the client library', async () => {
    const { issuer, audience, now, keys: published, cases } = read('receipts')
    const keys = createIssuerKeys({ issuer, keys: published })
    for (const { name, receipt, check = {}, reason } of cases) {
      const options: ReceiptCheck = { issuer, audience, keys, ...check, now: (check.now ?? now) * 1000 }
      expect((await verifyReceipt(receipt, options)).reason, name).to.equal(reason)
    }
  })

  it('contain webhooks with the verdict of the client library', () => {
    for (const { name, body, headers, secrets, now, reason } of read('webhooks').cases) {
      const verdict = verifyWebhook({ rawBody: body, headers, secret: secrets, now: now * 1000 })
      expect(verdict.reason, name).to.equal(reason)
    }
  })

  it('contain audit proofs, good and bad ones', () => {
    const verdicts = read('audit-proofs').cases.map(({ ok }: { ok: boolean }) => ok)
    expect(verdicts).to.deep.equal([...Array(4).fill(true), ...Array(10).fill(false)])
  })

  it('contain routes that are refused', () => {
    for (const route of read('routes').refusedRoutes) {
      expect(() => compileRouteGate([route]), route.pattern).to.throw()
    }
  })

  describe('the proofs', () => {
    /** What the service finds about a request that a gateway hands over. */
    async function findingOf(
      { key, ethereum }: { key?: object & { kid: string }; ethereum?: { address: string } },
      sent: Sent,
      facts: object = {},
      now = 1_767_225_601,
    ) {
      const service = await openFakeService()
      const { pathname, search, host } = new URL(sent.url)
      const outcome = await createGateway(service.options).verify({
        ...{ method: sent.method, target: pathname + search, scheme: 'https', body: sent.body ?? '' },
        headers: { host, ...sent.headers },
      })
      await service.stop()
      if (!outcome.passes) return { grade: 'none', isWrong: true }
      const fields = { ...service.asked[0], ...facts, agentId: AGENT, counterpartyId: ENDPOINT.svceId }
      const parsed = parseVerificationRequest(fields)
      if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors))
      const verify = createProofVerifier({
        recoverSigner: createSignatureVerifier({ verifyContractSignature: null }).recoverSigner,
        agentTokens: { verifyFor: async () => 'malformed' },
      })
      const agent = {
        ...{
          svcId: AGENT,
          names: [AGENT] as [string],
          accounts: ethereum === undefined ? [] : [ethereum.address.toLowerCase()],
          obtainers: [],
          hasForeignAccounts: false,
        },
        keys: await importProofKeys(key === undefined ? [] : [rowOf(key)]),
      }
      const checked = await verify({ agent, audience: ENDPOINT, request: parsed.request, now: now * 1000 })
      const hasExpired = checked.uses.some((use) => use.hasExpired)
      return { grade: checked.grade, isWrong: checked.fault !== null || hasExpired }
    }

    const rowOf = (key: object & { kid: string }) => {
      const jwk = Object.fromEntries(Object.entries(key).filter(([member]) => member !== 'd'))
      return { kid: key.kid, jwk, revokedAt: null }
    }

    for (const name of REQUEST_VECTORS) {
      it(`${name} is accepted by the service behind a gateway`, async () => {
        const { request, signature, signatureInput, ...signer } = readRequestVector(name)
        const headers = { ...request.headers, signature, 'signature-input': signatureInput }
        expect(await findingOf(signer, { ...request, headers })).to.deep.equal({
          grade: 'signature',
          isWrong: false,
        })
      })
    }

    it('each changed request is refused', async () => {
      const { cases, now, ...signers } = read('refused-requests')
      for (const { name, request } of cases) {
        expect((await findingOf(signers, request, {}, now)).isWrong, name).to.equal(true)
      }
    })

    const intentOf = (proof: string, body: string): Sent => ({
      ...{ method: 'POST', url: 'https://shop.example/orders', body },
      headers: { 'x-svc-id': AGENT, 'x-svc-purpose': 'shopping:buy', 'x-svc-proof': proof },
    })
    const facts = { transactionValue: 19.9, currency: 'EUR' }
    for (const name of INTENT_VECTORS) {
      it(`${name} is accepted by the service behind a gateway`, async () => {
        const { key, proof, body } = readIntentVector(name)
        expect(await findingOf({ key }, intentOf(proof, body), facts)).to.deep.equal({
          grade: 'signature',
          isWrong: false,
        })
      })
    }

    it('each changed intent proof is refused', async () => {
      const { key, cases, now } = read('refused-intents')
      const { body } = readIntentVector('intent-ed25519')
      for (const { name, proof } of cases) {
        expect((await findingOf({ key }, intentOf(proof, body), facts, now)).isWrong, name).to.equal(true)
      }
    })
  })
})
