import { createHash, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import {
  createPublicClient,
  domainSeparator,
  getAddress,
  getTypesForEIP712Domain,
  type Hex,
  hashStruct,
  hashTypedData,
  http,
  keccak256,
  stringToHex,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { identityRegistry } from '../../server/chain/artifacts/identityRegistry.ts'
import { type Chain, openChain } from '../contracts/openChain.ts'
import { waitUntil } from '../harness/runner/waitUntil.ts'
import { api } from '../harness/service/api.ts'
import { type StartedService, startService } from '../harness/service/startService.ts'

const PAGE = readFileSync(join(import.meta.dirname, '../../docs/agents.md'), 'utf8')
const [, SECTION = ''] = PAGE.split('## Consent to the token on chain\n')
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

type Field = { name: string; type: string }
type TypedData = {
  domain: { name: string; version: string; chainId: number; verifyingContract: Hex }
  types: Record<string, Field[]>
  primaryType: 'RegisterFor'
  message: {
    owner: Hex
    agentURI: string
    metadata: { metadataKey: string; metadataValue: Hex }[]
    nonce: string
    deadline: string
  }
}

const [typedData, signature] = readBlocks()
const account = privateKeyToAccount(`0x${'11'.repeat(32)}`)

function readBlocks(): [TypedData, Hex] {
  const [json = '', text = ''] = [...SECTION.matchAll(/^```\w*\n([\s\S]*?)^```$/gm)].map(([, code]) => code)
  return [JSON.parse(json), text.trim() as Hex]
}

/** Step 2 of the page, without our code. */
function identifierOf(address: string, nonce: string): string {
  const text = `SVC-AGENT-ID-V1\n${address.toLowerCase()}\n${nonce}`
  const digest = createHash('sha256').update(text).digest('hex')
  let value = BigInt(`0x${digest.slice(0, 32)}`)
  let id = ''
  for (let length = 0; length < 22; length += 1) {
    id = DIGITS.charAt(Number(value % 62n)) + id
    value /= 62n
  }
  return `SVC-${id}`
}

describe('docs/agents.md, consent to the token on chain', () => {
  it('derives the identifier that is in the URI and in the metadata', () => {
    const svcId = identifierOf(account.address, '0123456789abcdef')
    expect(SECTION).to.include(`The identifier is \`${svcId}\``)
    const { owner, agentURI, metadata } = typedData.message
    expect(owner).to.equal(account.address)
    expect(agentURI).to.equal(`http://localhost:3000/registration-files/${svcId}.json`)
    expect(metadata).to.deep.equal([{ metadataKey: 'svcId', metadataValue: stringToHex(svcId) }])
  })

  it('shows the hashes and the signature that another program computes', async () => {
    const { domain, types, message, primaryType } = typedData
    expect(types.EIP712Domain).to.deep.equal(getTypesForEIP712Domain({ domain }))
    const structHash = (type: string, data: Record<string, unknown>) =>
      hashStruct({ data, primaryType: type, types })
    const entryHash = structHash('MetadataEntry', message.metadata[0] ?? {})
    const encodeType = (type: string) =>
      `${type}(${types[type]?.map((field) => `${field.type} ${field.name}`).join(',')})`
    const shown = [...SECTION.matchAll(/\| `(0x[0-9a-f]{64})` \|/g)].map(([, hash]) => hash)
    expect(shown).to.deep.equal([
      keccak256(stringToHex(encodeType('RegisterFor') + encodeType('MetadataEntry'))),
      domainSeparator({ domain }),
      entryHash,
      keccak256(entryHash),
      structHash('RegisterFor', message),
      hashTypedData({ domain, types, primaryType, message }),
    ])
    expect(await account.signTypedData({ domain, types, primaryType, message })).to.equal(signature)
  })

  describe('on the registry of a local chain', () => {
    let chain: Chain
    before(async () => {
      chain = await openChain()
    })
    after(() => chain.close())

    it('mints the token to its signer', async () => {
      const registry = await chain.deploy(identityRegistry)
      const { domain, message } = typedData
      expect(registry.address).to.equal(getAddress(domain.verifyingContract))
      expect(await chain.client.getChainId()).to.equal(domain.chainId)
      const { owner, agentURI, metadata, deadline } = message
      await registry.write.registerFor([owner, agentURI, metadata, BigInt(deadline), signature])
      expect(await registry.read.ownerOf([1n])).to.equal(account.address)
      expect(await registry.read.tokenURI([1n])).to.equal(agentURI)
      expect(await registry.read.getMetadata([1n, 'svcId'])).to.equal(metadata[0]?.metadataValue)
    })
  })

  describe('at the service', () => {
    let service: StartedService
    before(async () => {
      service = await startService()
    })
    after(() => service.stop())

    it('gives the token to a signer who follows the steps', async () => {
      const signer = privateKeyToAccount(generatePrivateKey())
      const { body: known } = await api(service.baseUrl, 'GET', `/api/chain/owners/${signer.address}`)
      const nonce = randomUUID()
      const svcId = identifierOf(signer.address, nonce)
      const deadline = String(Math.floor(Date.now() / 1000) + 86_400)
      const { domain, types, primaryType } = typedData
      const consent = await signer.signTypedData({
        domain: { ...domain, chainId: known.chainId, verifyingContract: known.identityRegistry },
        types,
        primaryType,
        message: {
          owner: signer.address,
          agentURI: known.agentUriTemplate.replace('{svcId}', svcId),
          metadata: [{ metadataKey: 'svcId', metadataValue: stringToHex(svcId) }],
          nonce: known.nonce,
          deadline,
        },
      })
      const body = { name: 'Plain agent', onChain: { deadline, signature: consent } }
      const timestamp = String(Math.floor(Date.now() / 1000))
      const hash = createHash('sha256').update(JSON.stringify(body)).digest('hex')
      const lines = ['SVC-SIGNED-REQUEST-V1', 'POST', '/api/agents/register', timestamp, nonce, hash]
      const { body: answer } = await api(service.baseUrl, 'POST', '/api/agents/register', {
        body,
        headers: {
          'X-Svc-Signature': await signer.signMessage({ message: lines.join('\n') }),
          'X-Svc-Timestamp': timestamp,
          'X-Svc-Nonce': nonce,
          'X-Svc-Address': signer.address,
        },
      })
      expect(answer.data.agent.svcId).to.equal(svcId)
      const client = createPublicClient({ transport: http(service.rpcUrl) })
      const registry = { address: known.identityRegistry as Hex, abi: identityRegistry.abi }
      const minted = await waitUntil(async () => {
        const owned = await client.readContract({
          ...registry,
          functionName: 'balanceOf',
          args: [signer.address],
        })
        return owned === 0n ? null : owned
      })
      expect(minted).to.equal(1n)
      const used = await client.readContract({ ...registry, functionName: 'nonces', args: [signer.address] })
      expect(used).to.equal(1n)
    })
  })
})
