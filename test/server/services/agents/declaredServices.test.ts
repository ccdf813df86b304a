import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import {
  newPerson,
  newSigner,
  openRegistry,
  type Person,
  type Registry,
  registerAgent,
  registeredAgent,
} from './openRegistry.ts'

describe('a declared MCP server, and declared names', () => {
  let registry: Registry
  let owner: Person
  const signer = newSigner()
  const MCP = { endpoint: 'https://agent.shop-host.io/mcp', version: '2025-11-25' }

  before(async () => {
    registry = await openRegistry()
    owner = await newPerson(registry)
    await registry.linkWallet(signer.address, owner.userId)
  })
  after(() => registry.close())

  const servicesOf = async (svcId: string) =>
    JSON.parse(await readFile(join(registry.registrationFilesDir, `${svcId}.json`), 'utf8')).services
  const read = async (svcId: string, bearer?: string) =>
    (await registry.call('GET', `/api/agents/${svcId}`, bearer === undefined ? {} : { bearer })).body.agent
  const patch = (svcId: string, body: object) =>
    registry.call('PATCH', `/api/agents/${svcId}`, { body, bearer: owner.personalKey })

  it('is a service of the registration file, and a block for the owner and on the card, but no protocol', async () => {
    const svcId = await registeredAgent(registry, signer, { name: 'Server', mcp: MCP })
    expect(await servicesOf(svcId)).to.deep.equal([{ name: 'MCP', ...MCP }])
    const agent = await read(svcId, owner.personalKey)
    expect([agent.mcp, agent.protocols]).to.deep.equal([MCP, []])
    expect(await read(svcId)).to.not.have.property('mcp')
    const card = (await registry.call('GET', `/api/agents/${svcId}/card`)).body
    expect(card.protocols).to.deep.equal({ mcp: MCP })
  })

  it('does not affect the boundary', async () => {
    const svcId = await registeredAgent(registry, signer, { name: 'Server', mcp: MCP })
    expect((await read(svcId, owner.personalKey)).pdlss).to.deep.equal({})
  })

  it('can be changed and removed; a change of the protocols does not touch it', async () => {
    const svcId = await registeredAgent(registry, signer, {
      name: 'Server',
      mcp: MCP,
      x402: { walletAddress: '0x01' },
    })
    const before = (await read(svcId, owner.personalKey)).registrationFileHash
    expect((await patch(svcId, { protocols: null })).body.agent).to.deep.include({ protocols: [], mcp: MCP })
    expect((await patch(svcId, { mcp: { version: null } })).status).to.equal(200)
    expect(await servicesOf(svcId)).to.deep.equal([{ name: 'MCP', endpoint: MCP.endpoint }])
    expect((await read(svcId, owner.personalKey)).registrationFileHash).to.not.equal(before)
    expect((await patch(svcId, { mcp: null })).body.agent).to.not.have.property('mcp')
    expect(await servicesOf(svcId)).to.deep.equal([])
  })

  it('is rejected without an endpoint, and with one that is no URL', async () => {
    for (const mcp of [{}, { endpoint: 'stdio' }, { endpoint: 'ftp://a.io' }, { ...MCP, version: 1 }, 'x']) {
      const answer = await registerAgent(registry, signer, { name: 'Server', mcp })
      expect([answer.status, answer.body.code], JSON.stringify(mcp)).to.deep.equal([400, 'VALIDATION_ERROR'])
      expect(answer.body.errors[0].pointer).to.match(/^\/mcp/)
    }
    const svcId = await registeredAgent(registry, signer, { name: 'Server', mcp: MCP })
    const refused = await patch(svcId, { mcp: { endpoint: null } })
    expect([refused.status, refused.body.errors[0].pointer]).to.deep.equal([400, '/mcp/endpoint'])
  })

  const NAMES = { ens: 'buyer.eth', did: 'did:web:agent.shop-host.io%3A8443:buyer' }

  it('are services of the registration file that can be changed and removed', async () => {
    const svcId = await registeredAgent(registry, signer, { name: 'Named', names: NAMES })
    const ens = { name: 'ENS', endpoint: NAMES.ens, version: 'v1' }
    expect(await servicesOf(svcId)).to.deep.equal([ens, { name: 'DID', endpoint: NAMES.did, version: 'v1' }])
    const agent = await read(svcId, owner.personalKey)
    expect([agent.names, agent.protocols]).to.deep.equal([NAMES, []])
    expect((await patch(svcId, { names: { did: null } })).body.agent.names).to.deep.equal({ ens: NAMES.ens })
    expect(await servicesOf(svcId)).to.deep.equal([ens])
    expect((await patch(svcId, { names: null })).body.agent).to.not.have.property('names')
    expect(await servicesOf(svcId)).to.deep.equal([])
  })

  it('are rejected where they are no names', async () => {
    const label = 'a'.repeat(63)
    for (const [member, value] of [
      ...['buyer', 'Buyer.eth', 'buyer .eth', '.eth', 'a_b.eth', 'büyer.eth', `${label}a.eth`, 1].map(
        (ens) => ['ens', ens] as const,
      ),
      ['ens', `${Array(4).fill(label).join('.')}.eth`],
      ...['did:web', 'did:WEB:a', 'did:web:', 'did:web:a#key', 'did:web:a/b', 'did:web:a%3', 'web:a'].map(
        (did) => ['did', did] as const,
      ),
      ['did', `did:web:${'a'.repeat(505)}`],
    ] as const) {
      const answer = await registerAgent(registry, signer, { name: 'Named', names: { [member]: value } })
      expect([answer.status, answer.body.errors?.[0].pointer], String(value)).to.deep.equal([
        400,
        `/names/${member}`,
      ])
    }
  })
})
