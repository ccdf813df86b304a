import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import type { Hex } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { createAgentKey } from '../../../builders/createAgentKey.ts'
import { createAgentProver } from '../../../builders/createAgentProver.ts'
import { registerAgent, registerEndpoint } from '../../../builders/participants.ts'
import { signIntent } from '../../../builders/signAsAgent.ts'
import { signTap } from '../../../builders/signTap.ts'
import { signX402Payment } from '../../../builders/signX402Payment.ts'
import { storeAgentKey } from '../../../builders/storeAgentKey.ts'
import { type OwnerScene, openOwnerScene } from '../approvals/openOwnerScene.ts'

const HOST = 'payments.acme.io'
/** Without spend limits, so that only the mandates say anything about amounts and currencies. */
const PDLSS = { purpose: { categories: ['shopping'] } }
const AGENTS_AT_ONCE = 12

const newAccount = () => privateKeyToAccount(generatePrivateKey())

describe('a payment that is presented to a counterparty', () => {
  const payer = newAccount()
  let scene: OwnerScene
  let svceId: string
  let prover: ReturnType<typeof createAgentProver>
  let nonces = 0

  before(async () => {
    scene = await openOwnerScene()
    prover = createAgentProver(scene.baseUrl, () => scene.time.now)
    const fields = { counterpartyUrl: `https://${HOST}/pay`, trustScoreRequirement: 0 }
    svceId = await registerEndpoint(scene.baseUrl, scene.shop.apiKey, fields)
  })
  after(() => scene?.service.stop())

  const seconds = () => Math.floor(scene.time.now / 1000)
  /** Registers an agent that declares a wallet; `account` signs the registration. */
  const declare = async (walletAddress: string, account = newAccount()) => {
    const x402 = { walletAddress, supportedTokens: ['USD'] }
    const fields = { pdlss: PDLSS, protocols: ['x402'], x402 }
    return (await registerAgent(scene.baseUrl, fields, { account, timestamp: seconds() })).svcId
  }
  const pay = async (by: PrivateKeyAccount = payer, validSeconds = 60) => {
    nonces += 1
    const nonce: Hex = `0x${nonces.toString(16).padStart(64, '0')}`
    const times = { validAfter: String(seconds() - 60), validBefore: String(seconds() + validSeconds) }
    return JSON.stringify(await signX402Payment(by, { ...times, nonce }))
  }
  /** A token that the payer obtains for one of its agents. */
  const proving = async (agentId: string) => {
    prover.add(agentId, payer)
    const { agentToken } = await prover.prove<{ agentToken?: string }>({ agentId, counterpartyId: svceId })
    return { agentToken }
  }
  const verify = async (agentId: string, fields: object) => {
    const body = {
      ...{ agentId, counterpartyId: svceId, purpose: 'shopping:buy', resource: '/orders/1' },
      ...{ transactionValue: 0.01, currency: 'USDC', ...fields },
    }
    return (await scene.call('POST', '/api/agents/verify-access', { bearer: scene.shop.apiKey, body })).body
  }
  const present = async (agentId: string, value: string, fields: object = {}) => {
    const { recommendation, access, mandate } = await verify(agentId, {
      mandate: { protocol: 'x402', value },
      ...fields,
    })
    const [failure] = access.failures ?? []
    return failure?.dimension ?? (mandate?.isHolderProven ? 'proven' : recommendation)
  }
  const ELSEWHERE = 'commerce.mandate'

  describe('by a wallet that the agent only declares', () => {
    it('is granted, and neither answer nor event claims that the agent holds it', async () => {
      const agentId = await declare(payer.address)
      const value = await pay()
      const { recommendation, mandate, auditRecordId } = await verify(agentId, {
        mandate: { protocol: 'x402', value },
      })
      expect(recommendation).to.equal('grant')
      expect(mandate).to.deep.equal({ protocol: 'x402', isSigned: true, isHolderProven: false })
      const path = '/api/activity?limit=5'
      const { items } = (await scene.call('GET', path, { bearer: scene.shop.apiKey })).body
      const event = items.find((one: { auditRecordId: string }) => one.auditRecordId === auditRecordId)
      expect(event.eventData.mandate).to.include({ isWrong: false, isHolderProven: false })
    })

    it('is proven if it signed the registration, or the owner has linked it', async () => {
      expect(await present(await declare(payer.address, payer), await pay())).to.equal('proven')
      const [linked, ada] = [newAccount(), await scene.owner()]
      const x402 = { walletAddress: linked.address, supportedTokens: ['USD'] }
      const agentId = await ada.agent({ pdlss: PDLSS, protocols: ['x402'], x402 })
      const address = linked.address.toLowerCase()
      await scene.store('INSERT INTO wallets VALUES (?, ?, ?)', address, ada.userId, scene.time.now)
      expect(await present(agentId, await pay(linked))).to.equal('proven')
    })

    it('is proven from the request on that follows its signature for the agent, until that is removed', async () => {
      const [wallet, ada] = [newAccount(), await scene.owner()]
      const x402 = { walletAddress: wallet.address, supportedTokens: ['USD'] }
      const agentId = await ada.agent({ pdlss: PDLSS, protocols: ['x402'], x402 })
      expect(await present(agentId, await pay(wallet))).to.equal('grant')
      const path = `/api/agents/${agentId}/credentials`
      const add = async (by: PrivateKeyAccount) => {
        const { challenge, message } = (await ada.call('POST', `${path}/challenge`, { body: {} })).body
        const proof = await by.signMessage({ message })
        const body = { type: 'did', value: `did:ethr:${wallet.address}`, challenge, proof }
        return ada.call('POST', path, { body })
      }
      expect((await add(payer)).status).to.equal(400)
      expect(await present(agentId, await pay(wallet))).to.equal('grant')
      const added = await add(wallet)
      expect(added.status).to.equal(201)
      expect(await present(agentId, await pay(wallet))).to.equal('proven')
      await ada.call('DELETE', `${path}/${added.body.credential.id}`)
      expect(await present(agentId, await pay(wallet))).to.equal('grant')
    })
  })

  it('by a declared key of TAP is proven once the agent has that key, added with a proof', async () => {
    const key = createAgentKey()
    const ada = await scene.owner()
    const agents: string[] = []
    for (let nth = 0; nth < 2; nth += 1) {
      const tap = { visaAgentId: `visa-${nth}`, publicKey: { ...key.jwk } }
      agents.push(await ada.agent({ pdlss: PDLSS, protocols: ['tap'], tap }))
    }
    const [declaring = '', holding = ''] = agents
    await storeAgentKey(scene.service, holding, key)
    await scene.store('UPDATE agent_keys SET proven_at = 1 WHERE agent_id = ?', holding)
    await scene.store(`UPDATE agents SET min_identity_proof = 'none' WHERE svc_id = ?`, holding)
    const times = { created: seconds(), expires: seconds() + 300 }
    const callerMetadata = signTap(key, { ...times, url: `https://${HOST}/pay/1` })
    const isHolderProven = async (agentId: string, fields: object = {}) => {
      const presented = { mandate: { protocol: 'tap' }, callerMetadata, ...fields }
      return (await verify(agentId, presented)).mandate?.isHolderProven
    }
    expect(await isHolderProven(declaring)).to.equal(false)
    const intent = { iss: holding, aud: svceId, iat: seconds(), exp: seconds() + 60, jti: randomUUID() }
    expect(await isHolderProven(holding, { intentProof: signIntent(key, intent) })).to.equal(true)
    expect(await isHolderProven(declaring)).to.equal(undefined)
  })

  it('counts for the agent that presented it first, again and again, and for no other', async () => {
    const [first, second] = [await declare(payer.address), await declare(payer.address)]
    const value = await pay()
    expect(await present(first, value)).to.equal('grant')
    expect(await present(second, value)).to.equal(ELSEWHERE)
    expect(await present(first, value)).to.equal('grant')
    expect(await present(second, await pay())).to.equal('grant')
  })

  it('counts for one of two agents that are both proven to hold it, if their requests prove them', async () => {
    const [first, second] = [await declare(payer.address, payer), await declare(payer.address, payer)]
    const value = await pay()
    // Whoever has copied the payment can name one of them.
    expect(await present(second, value)).to.equal('proven')
    expect(await present(first, value, await proving(first))).to.equal('proven')
    expect(await present(second, value)).to.equal(ELSEWHERE)
    expect(await present(second, value, await proving(second))).to.equal(ELSEWHERE)
    expect(await present(first, value)).to.equal('proven')
  })

  it('still counts for whoever is proven to hold it after somebody has copied it, and then only there', async () => {
    const [thief, genuine] = [await declare(payer.address), await declare(payer.address, payer)]
    const value = await pay()
    expect(await present(thief, value)).to.equal('grant')
    expect(await present(genuine, value)).to.equal('proven')
    expect(await present(genuine, value, await proving(genuine))).to.equal('proven')
    expect(await present(thief, value)).to.equal(ELSEWHERE)
  })

  it('goes on counting for who presented it first, whoever else is named with it', async () => {
    const declaring = await declare(payer.address)
    const holders = [await declare(payer.address, payer), await declare(payer.address, payer)]
    const value = await pay()
    expect(await present(declaring, value)).to.equal('grant')
    for (const holder of holders) expect(await present(holder, value)).to.equal('proven')
    expect(await present(declaring, value)).to.equal('grant')
  })

  it('is the same however it is written', async () => {
    const [first, second] = [await declare(payer.address), await declare(payer.address)]
    const value = await pay()
    const { x402Version: _, accepted, payload } = JSON.parse(value)
    const rewritten = JSON.stringify({
      ...{ x402Version: 2, payload, extra: 1 },
      accepted: { ...accepted, asset: accepted.asset.toLowerCase() },
    })
    expect(await present(first, value)).to.equal('grant')
    expect(await present(second, rewritten)).to.equal(ELSEWHERE)
    const header = Buffer.from(value).toString('base64')
    const callerMetadata = { 'payment-signature': header }
    expect((await verify(second, { callerMetadata })).recommendation).to.equal('deny')
  })

  it('is the same with another end, because its nonce can be used once', async () => {
    const [first, second] = [await declare(payer.address), await declare(payer.address)]
    expect(await present(first, await pay())).to.equal('grant')
    nonces -= 1
    expect(await present(second, await pay(payer, 90))).to.equal(ELSEWHERE)
  })

  it('is not used up by a denial or a dry run', async () => {
    const [first, second] = [await declare(payer.address), await declare(payer.address)]
    const value = await pay()
    expect(await present(first, value, { purpose: 'other:buy' })).to.equal('pdlss.purpose')
    await present(first, value, { dryRun: true })
    expect(await present(second, value)).to.equal('grant')
  })

  it('counts once when many agents present it at once, and the decision of each is replayed', async () => {
    const agents: string[] = []
    for (let nth = 0; nth < AGENTS_AT_ONCE; nth += 1) agents.push(await declare(payer.address))
    const mandate = { protocol: 'x402', value: await pay() }
    const answers = await Promise.all(agents.map((agentId) => verify(agentId, { mandate })))
    const granted = answers.filter(({ recommendation }) => recommendation === 'grant')
    expect(granted).to.have.length(1)
    for (const { auditRecordId } of answers) {
      const path = `/api/audit/records/${auditRecordId}/replay`
      const replayed = await scene.call('POST', path, { bearer: scene.shop.apiKey })
      expect(replayed.body).to.include({ reproduced: true, inputsMatch: true })
    }
  })
})
