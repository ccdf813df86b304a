import { registerAgent } from '@svc/client'
import { sha256Hex } from '@svc/core/hash.ts'
import { expect } from 'chai'
import { createPublicClient, http, parseAbi, sha256, stringToHex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { waitUntil } from '../../../../harness/runner/waitUntil.ts'
import { api } from '../../../../harness/service/api.ts'
import { type StartedService, startService } from '../../../../harness/service/startService.ts'

const ABI = parseAbi([
  'function ownerOf(uint256) view returns (address)',
  'function tokenURI(uint256) view returns (string)',
  'function getMetadata(uint256,string) view returns (bytes)',
  'function getAgentWallet(uint256) view returns (address)',
  'function nonces(address) view returns (uint256)',
])

const LOG_ABI = parseAbi(['function verifyInclusion(bytes32,bytes32,uint64,bytes32[]) view returns (bool)'])

describe('an agent registered with its owner’s consent, on a real chain', () => {
  let service: StartedService
  let svcId: string
  let identity: { agentId: number; agentRegistry: string }
  const owner = privateKeyToAccount(generatePrivateKey())

  before(async () => {
    service = await startService()
    const agent = { name: 'Minted', apiEndpoint: 'http://127.0.0.1:9/challenge' }
    svcId = (await registerAgent({ baseUrl: service.baseUrl, account: owner, agent })).svcId
    identity = await waitUntil(async () => {
      const { body } = await api(service.baseUrl, 'GET', `/api/agents/${svcId}`)
      return body.agent.blockchainStatus === 'verified' ? body.agent.onChainIdentity : null
    })
  })
  after(() => service.stop())

  const read = (functionName: (typeof ABI)[number]['name'], args: unknown[]) =>
    createPublicClient({ transport: http(service.rpcUrl) }).readContract({
      address: identity.agentRegistry.split(':')[2] as `0x${string}`,
      abi: ABI,
      functionName,
      args: args as never,
    })

  it('belongs to the owner from the start: token, wallet, and the consent used up', async () => {
    const id = BigInt(identity.agentId)
    expect(await read('ownerOf', [id])).to.equal(owner.address)
    expect(await read('getAgentWallet', [id])).to.equal(owner.address)
    expect(await read('nonces', [owner.address])).to.equal(1n)
    const { body } = await api(service.baseUrl, 'GET', `/api/chain/owners/${owner.address}`)
    expect(body.nonce).to.equal('1')
  })

  it('is identified by its token, which points to the registration file', async () => {
    const id = BigInt(identity.agentId)
    expect(await read('getMetadata', [id, 'svcId'])).to.equal(stringToHex(svcId))
    const uri = new URL(String(await read('tokenURI', [id])))
    expect(uri.pathname).to.equal(`/registration-files/${svcId}.json`)
  })

  it('has a complete registration file to whose bytes the audit log commits', async () => {
    const entry = await waitUntil(async () => {
      const [row] = await service.rows<{ entry: string }>(
        "SELECT entry FROM audit_records WHERE event_type = 'agent.registration_file_published'",
      )
      return row ? JSON.parse(row.entry) : null
    })
    const response = await fetch(`${service.baseUrl}/registration-files/${svcId}.json`)
    const bytes = Buffer.from(await response.arrayBuffer())
    const { agentId, agentRegistry } = identity
    expect(JSON.parse(bytes.toString())).to.deep.include({
      svcId,
      registrations: [{ agentId, agentRegistry }],
    })
    expect(entry.subject).to.deep.equal({
      svcId,
      agentId: String(agentId),
      sha256: sha256Hex(bytes),
    })
  })

  it('can be read from the chain: token URI, file, and the file’s hash in the anchored log', async () => {
    const bytes = Buffer.from(
      await (await fetch(String(await read('tokenURI', [BigInt(identity.agentId)])))).arrayBuffer(),
    )
    const isOnChain = await waitUntil(async () => {
      const [row] = await service.rows<{ record_id: string }>(
        "SELECT record_id FROM audit_records WHERE event_type = 'agent.registration_file_published'",
      )
      const proof = row && (await api(service.baseUrl, 'GET', `/api/audit/records/${row.record_id}/proof`))
      if (proof?.status !== 200) return null
      const { entry, logId, contract, index, inclusionProof } = proof.body
      const exact = Buffer.from(entry, 'base64')
      expect(JSON.parse(exact.toString()).subject.sha256).to.equal(sha256(bytes).slice(2))
      // RFC 9162 §2.1.1: the leaf is computed from the bytes of the entry, whatever the service reports.
      const leaf = sha256(Buffer.concat([Buffer.from([0]), exact]))
      return createPublicClient({ transport: http(service.rpcUrl) }).readContract({
        address: contract,
        abi: LOG_ABI,
        functionName: 'verifyInclusion',
        args: [logId, leaf, BigInt(index), inclusionProof],
      })
    })
    expect(isOnChain).to.equal(true)
    const again = await fetch(`${service.baseUrl}/registration-files/${svcId}.json`)
    expect(Buffer.from(await again.arrayBuffer()).equals(bytes)).to.equal(true)
  })
})
