import { deriveAgentIdentifier } from '@svc/core/ids/derivedIdentifiers.ts'
import { buildRegisterForTypedData } from '@svc/core/signing/buildRegisterForTypedData.ts'
import { expect } from 'chai'
import { type Hex, stringToHex } from 'viem'
import { newSigner, openRegistry, PUBLIC_URL, type Registry, registerAgent } from '../openRegistry.ts'
import { NO_TOKENS } from '../token/noTokens.ts'

const CHAIN_ID = 31337
const REGISTRY: Hex = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const NONCE = 'a-nonce-of-its-own-1'

describe('a consent to the registration on chain', () => {
  let registry: Registry
  const chain = { nonce: 3n }

  before(async () => {
    registry = await openRegistry({
      chain: {
        overview: async () => ({ chainId: CHAIN_ID, contracts: { identityRegistry: REGISTRY } }),
        ownerNonce: async () => chain.nonce,
        verifyContractSignature: async ({ signature }) => signature === '0x1234',
        tokens: NO_TOKENS,
      },
    })
  })
  after(() => registry.close())

  type Terms = { nonce?: bigint; deadline?: bigint; agentURI?: string; requestNonce?: string }

  const inAnHour = () => BigInt(Math.floor(registry.time.now / 1000) + 3600)

  async function consentOf(signer: ReturnType<typeof newSigner>, terms: Terms = {}) {
    const svcId = deriveAgentIdentifier(signer.address, terms.requestNonce ?? NONCE)
    const deadline = terms.deadline ?? inAnHour()
    const signature = await signer.account.signTypedData(
      buildRegisterForTypedData({
        chainId: CHAIN_ID,
        verifyingContract: REGISTRY,
        owner: signer.address,
        agentURI: terms.agentURI ?? `${PUBLIC_URL}/registration-files/${svcId}.json`,
        metadata: [{ metadataKey: 'svcId', metadataValue: stringToHex(svcId) }],
        nonce: terms.nonce ?? chain.nonce,
        deadline,
      }),
    )
    return { svcId, onChain: { deadline: String(deadline), signature } }
  }

  const register = (signer: ReturnType<typeof newSigner>, onChain: object, nonce = NONCE) =>
    registerAgent(registry, signer, { name: 'Minted', onChain }, nonce)

  async function expectRefused(answer: ReturnType<typeof register>, pointer: string) {
    const before = await registry.stored()
    const { status, body } = await answer
    expect([status, body.code, body.errors?.[0]?.pointer]).to.deep.equal([400, 'VALIDATION_ERROR', pointer])
    expect(await registry.stored()).to.deep.equal(before)
  }

  it('determines the derived identifier and accompanies the mint intent', async () => {
    const signer = newSigner()
    const { svcId, onChain } = await consentOf(signer)
    const { status, body } = await register(signer, { ...onChain, deadline: Number(onChain.deadline) })
    expect(status).to.equal(201)
    expect(body.data.agent.svcId).to.equal(svcId)
    const intent = await registry.outbox.byKey(`mint:${svcId}`)
    expect(intent?.payload).to.deep.include({ svcId, owner: signer.address, consent: onChain })
  })

  it('can be signed with the data that the service returns about the owner', async () => {
    const signer = newSigner()
    const { status, body } = await registry.call('GET', `/api/chain/owners/${signer.address}`)
    expect(status).to.equal(200)
    expect(body).to.deep.equal({
      success: true,
      address: signer.address,
      nonce: '3',
      chainId: CHAIN_ID,
      identityRegistry: REGISTRY,
      agentUriTemplate: `${PUBLIC_URL}/registration-files/{svcId}.json`,
    })
    const svcId = deriveAgentIdentifier(signer.address, NONCE)
    const agentURI = body.agentUriTemplate.replace('{svcId}', svcId)
    const { onChain } = await consentOf(signer, { nonce: BigInt(body.nonce), agentURI })
    expect((await register(signer, onChain)).status).to.equal(201)
  })

  it('is accepted from a contract wallet that approves the signature', async () => {
    const answer = await register(newSigner(), { deadline: String(inAnHour()), signature: '0x1234' })
    expect(answer.status).to.equal(201)
  })

  it('is refused for another nonce, URI or identifier than the registry will compute', async () => {
    for (const terms of [
      { nonce: 2n },
      { nonce: 4n },
      { agentURI: `${PUBLIC_URL}/registration-files/SVC-0000000000000000000000.json` },
      { requestNonce: 'another-nonce-of-its-own' },
    ]) {
      const signer = newSigner()
      await expectRefused(register(signer, (await consentOf(signer, terms)).onChain), '/onChain/signature')
    }
  })

  it('is refused from another key, and for another deadline than the signed one', async () => {
    const signer = newSigner()
    const { onChain } = await consentOf(newSigner())
    await expectRefused(register(signer, onChain), '/onChain/signature')
    const own = await consentOf(signer)
    const later = { ...own.onChain, deadline: String(inAnHour() + 1n) }
    await expectRefused(register(signer, later, 'a-nonce-of-its-own-2'), '/onChain/signature')
  })

  it('is refused in forms of a signature that the contract rejects', async () => {
    const spellings: ((signature: Hex) => string)[] = [
      (signature) => `${signature.slice(0, 130)}0${signature.endsWith('b') ? '0' : '1'}`,
      (signature) => {
        const highS = ORDER - BigInt(`0x${signature.slice(66, 130)}`)
        const flippedV = signature.endsWith('1b') ? '1c' : '1b'
        return `${signature.slice(0, 66)}${highS.toString(16).padStart(64, '0')}${flippedV}`
      },
      (signature) => `${signature}00`,
    ]
    for (const spelling of spellings) {
      const signer = newSigner()
      const { onChain } = await consentOf(signer)
      const signature = spelling(onChain.signature)
      await expectRefused(register(signer, { ...onChain, signature }), '/onChain/signature')
    }
  })

  it('is refused if its deadline has passed or is too near', async () => {
    const now = inAnHour() - 3600n
    for (const deadline of [0n, now - 1n, now + 59n]) {
      const signer = newSigner()
      const { onChain } = await consentOf(signer, { deadline })
      await expectRefused(register(signer, onChain), '/onChain/deadline')
    }
  })

  it('is refused with a nonce so short that the identifier could be guessed', async () => {
    const signer = newSigner()
    const requestNonce = '15-characters-1'
    const { onChain } = await consentOf(signer, { requestNonce })
    await expectRefused(register(signer, onChain, requestNonce), '/onChain')
  })

  it('registers one agent per nonce, even after the nonce was deleted from the replay memory', async () => {
    const signer = newSigner()
    const { onChain } = await consentOf(signer)
    expect((await register(signer, onChain)).status).to.equal(201)
    registry.time.now += 11 * 60_000
    const before = await registry.stored()
    const again = await register(signer, onChain)
    expect([again.status, again.body.code]).to.deep.equal([401, 'nonce_reused'])
    expect(await registry.stored()).to.deep.equal(before)
  })
})

describe('with an unreachable chain', () => {
  let registry: Registry

  before(async () => {
    registry = await openRegistry()
  })
  after(() => registry.close())

  it('a consent cannot be verified: 503, and nothing is stored', async () => {
    const onChain = { deadline: 9_000_000_000, signature: `0x${'11'.repeat(65)}` }
    const before = await registry.stored()
    const { status, body } = await registerAgent(registry, newSigner(), { name: 'n', onChain })
    expect([status, body.code]).to.deep.equal([503, 'CHAIN_UNAVAILABLE'])
    expect(await registry.stored()).to.deep.equal(before)
  })

  it('an agent without consent is registered', async () => {
    expect((await registerAgent(registry, newSigner(), { name: 'n' })).status).to.equal(201)
  })

  it('the owner’s data to sign is unavailable: 503; an invalid address: 400', async () => {
    const unknown = await registry.call('GET', `/api/chain/owners/${newSigner().address}`)
    expect([unknown.status, unknown.body.code]).to.deep.equal([503, 'CHAIN_UNAVAILABLE'])
    const wrong = await registry.call('GET', '/api/chain/owners/0x12')
    expect([wrong.status, wrong.body.code]).to.deep.equal([400, 'VALIDATION_ERROR'])
    expect(wrong.body.errors[0].pointer).to.equal('/address')
  })
})
